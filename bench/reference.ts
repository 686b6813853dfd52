import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildToolkit, generateAnew } from './generation.ts';
import { readGitHub } from './github.ts';
import type { Cost } from './measure-command.ts';
import { writeDocument } from './write-document.ts';

/** The cost of generating from GitHub's contract, with or without the reference page. */
export interface ReferenceCost {
  readonly targets: string;
  readonly cost: Cost;
}

/**
 * Generates types, validators and a client from GitHub's contract: without the reference page, then with it.
 * @param operations the number of operations that remain of the contract
 */
export function benchReference(times: number, operations: number): readonly ReferenceCost[] {
  buildToolkit();
  const document = readGitHub('REST', operations);
  const all = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return [
      ['contract', 'client'],
      ['contract', 'client', 'reference'],
    ].map((targets, index) => {
      const folder = join(all, String(index));
      writeDocument(folder, document, targets);
      return { targets: targets.join(', '), cost: generateAnew({ folder }, times) };
    });
  } finally {
    rmSync(all, { recursive: true });
  }
}

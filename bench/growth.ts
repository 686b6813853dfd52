import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateAnew, buildToolkit } from './generation.ts';
import { readGitHub } from './github.ts';
import type { Cost } from './measure-command.ts';
import { writeDocument } from './write-document.ts';

/** The cost of generating from a part of a large contract. */
export interface GrowthCost {
  readonly operations: number;
  readonly cost: Cost;
}

/** Generates types, validators and a client from increasing numbers of operations of GitHub's contract. */
export function benchGrowth(sizes: readonly number[], times: number): readonly GrowthCost[] {
  buildToolkit();
  const all = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return sizes.map((operations) => {
      const folder = join(all, String(operations));
      writeDocument(folder, readGitHub('REST', operations), ['contract', 'client']);
      return { operations, cost: generateAnew({ folder }, times) };
    });
  } finally {
    rmSync(all, { recursive: true });
  }
}

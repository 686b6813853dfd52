import { mkdirSync, mkdtempSync, rmSync, copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildToolkit, generateAnew } from './generation.ts';
import type { Cost } from './measure-command.ts';

/** The cost of generating from GitHub's contract, with or without the reference page. */
export interface ReferenceCost {
  readonly targets: string;
  readonly cost: Cost;
}

/** Generates types, validators and a client from GitHub's contract: without the reference page, then with it. */
export function benchReference(times: number): readonly ReferenceCost[] {
  buildToolkit();
  const document = createRequire(import.meta.url).resolve(
    '@octokit/openapi/generated/api.github.com.json',
  );
  const all = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return [
      ['contract', 'client'],
      ['contract', 'client', 'reference'],
    ].map((targets, index) => {
      const folder = join(all, String(index));
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      copyFileSync(document, join(folder, 'openapi.json'));
      writeFileSync(
        join(folder, 'countersign.config.json'),
        JSON.stringify({
          contract: { openapi: 'openapi.json' },
          scope: '@bench',
          output: 'generated',
          targets,
        }),
      );
      return { targets: targets.join(', '), cost: generateAnew({ folder }, times) };
    });
  } finally {
    rmSync(all, { recursive: true });
  }
}

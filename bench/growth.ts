import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildToolkit, checkAgain, generateAnew } from './generation.ts';
import { repeatGitHub } from './github.ts';
import type { Cost } from './measure-command.ts';
import { writeDocument } from './write-document.ts';

/** The cost of generating from a number of operations, and of checking what was generated. */
export interface GrowthCost {
  readonly operations: number;
  readonly generated: Cost;
  readonly checked: Cost;
}

/** What the largest documents need. */
const budgets = { maxFileBytes: 1e9, maxTotalBytes: 1e9, maxNodes: 1e8 };

/**
 * Generates types, validators and a client from increasing numbers of operations of GitHub's contract, and checks them.
 * What takes minutes runs once.
 */
export function benchGrowth(sizes: readonly number[], times: number): readonly GrowthCost[] {
  buildToolkit();
  const all = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    return sizes.map((operations) => {
      const folder = join(all, String(operations));
      writeDocument(folder, repeatGitHub(operations), ['contract', 'client'], budgets);
      const runs = operations > 1000 ? 1 : times;
      return {
        operations,
        generated: generateAnew({ folder }, runs),
        checked: checkAgain({ folder }, runs),
      };
    });
  } finally {
    rmSync(all, { recursive: true });
  }
}

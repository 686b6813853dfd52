import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeContracts } from './contracts.ts';
import { buildToolkit } from './generation.ts';
import { measureCommand, type Cost } from './measure-command.ts';

/** The cost of reading a contract and loading ts-morph, and that of the same with the stubs of all packages. */
export interface StubsCost {
  readonly contract: string;
  readonly without: Cost;
  readonly emitted: Cost;
}

/**
 * Emits the stubs of handlers `times` times in new processes, and as often only loads what it needs.
 * Formatting them is not included.
 * @param operations the number of operations that remain of GitHub's contracts
 */
export async function benchStubs(times: number, operations: number): Promise<readonly StubsCost[]> {
  buildToolkit();
  const script = fileURLToPath(new URL('./stubs-process.ts', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const contracts = (await writeContracts(folder, operations)).filter(
      ({ name }) => name !== 'GitHub REST',
    );
    return contracts.map((contract) => {
      const runs = { cwd: contract.folder, times, before: () => {} };
      const without = measureCommand([script], runs);
      const emitted = measureCommand([script, 'emit'], runs);
      return { contract: contract.name, without, emitted };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { tmpdir } from 'node:os';

/** Returns where tests keep stores: in memory, where a run has a folder there. */
export function storeFolder(): string {
  return process.env['COUNTERSIGN_MEMORY'] ?? tmpdir();
}

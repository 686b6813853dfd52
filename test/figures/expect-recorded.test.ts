import { expect, test, vi } from 'vitest';
import { expectRecorded } from './expect-recorded.ts';

test('a figure out of bounds fails with the figure, the command that records it, and the file', async () => {
  vi.stubEnv('COUNTERSIGN_WRITE', '');
  try {
    await expect(expectRecorded('ledger-lines', { bytes: 1_000_000 })).rejects.toThrow(
      /bytes: 1000000, at most \d+ \(\d+ recorded, and 5 % of room\)\.\n.*`npm run figures`.*ledger-lines\.json/u,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

import { afterEach, expect, it, vi } from 'vitest';
import { benchSigning } from '../../bench/signing.ts';

afterEach(() => void vi.useRealTimers());

it('every way to sign and verify has a throughput, also ten minutes after the bench started', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  const rows = await benchSigning(2);
  expect(rows.map(({ name }) => name)).toContain('standardwebhooks verify (parses the body too)');
  for (const { name, perSecond, floorPerSecond } of rows) {
    expect(perSecond, name).toBeGreaterThan(0);
    expect(floorPerSecond, name).toBeGreaterThan(0);
  }
});

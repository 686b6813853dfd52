import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { chartData } from '../../../../packages/simulator/console/chart-data.ts';
import type { EntrySummary } from '../../../../packages/simulator/console/types.ts';
import { bundleConsole } from '../../../../packages/simulator/bundle-console.ts';
import { expectRecorded } from '../../../figures/expect-recorded.ts';

it('has the recorded size, compressed, in files that name no other host', async () => {
  const page = await bundleConsole();
  expect([...page.keys()].toSorted()).toEqual(['index.html', 'main.js', 'style.css', 'theme.js']);
  const sizes = [...page.values()].map((text) => gzipSync(text).length);
  await expectRecorded('simulator-console', {
    'bytes, gzipped': sizes.reduce((sum, size) => sum + size, 0),
  });
  for (const name of ['index.html', 'style.css'])
    expect(page.get(name)).not.toMatch(/https?:|<style|style=|\son\w+=/u);
});

it('counts outcomes and durations in intervals', () => {
  const entry = (at: number, isFailed: boolean, durationMs: number): EntrySummary => ({
    id: at,
    at,
    type: 'call',
    isFailed,
    detail: '',
    durationMs,
    faults: [],
  });
  const entries = [entry(2100, false, 30), entry(1900, true, 20), entry(1100, false, 10)];
  expect(chartData(entries)).toEqual({
    at: [1, 2],
    ok: [1, 1],
    failed: [1, 0],
    median: [20, 30],
    slow: [20, 30],
  });
  expect(chartData([{ ...entry(1, true, 1), type: 'step' }]).at).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { measuredAt } from '../../bench/print-table.ts';
import { runSections, titlesOf } from './run-sections.ts';

it('each section without peers and databases runs to its end', async () => {
  const sections = ['validators', 'bundles', 'signing', 'calls', 'deliveries', 'adapters'];
  const { code, printed, errors } = await runSections(sections);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(titlesOf(printed)).toEqual([
    'Validators: one due-date charge, accepted',
    'Bytes in a bundle that imports',
    'Signatures: one request of half a kilobyte, signed and verified',
    'Calls: one call to the same server, sequential',
    'Receivers: one notification of 700 bytes',
    'Adapters: one notification of 700 bytes, CPU time of the server',
  ]);
}, 180_000);

it('a section that fails does not stop those after it, and the command fails', async () => {
  // Servers then refuse every request.
  const { code, printed, errors } = await runSections(['adapters', 'validators'], {
    NODE_OPTIONS: '--max-http-header-size=16',
  });
  expect(code).toBe(1);
  expect(errors).toContain('The section adapters failed.');
  expect(titlesOf(printed)).toEqual(['Validators: one due-date charge, accepted']);
});

it('a section that does not exist is an error', async () => {
  const { code, printed, errors } = await runSections(['validator']);
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(errors).toContain('There is no section validator.\nThe sections are generation, ');
});

it('a section that cannot be compared is an error', async () => {
  const { code, printed, errors } = await runSections(['--compare', 'HEAD', 'inbox']);
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(errors).toContain(
    'There is no section inbox.\nThe sections are generation, imports, deliveries, calls.',
  );
});

it('every table of the figures says at which commit it was measured', async () => {
  const text = await readFile(new URL('../../docs/bench.md', import.meta.url), 'utf8');
  expect(measuredAt()).toMatch(/^Measured at (`[0-9a-f]{8}`|an unknown commit)/u);
  const tables = text
    .split('\n\n')
    .flatMap((block, index, blocks) =>
      block.startsWith('|') ? [{ table: block, before: blocks[index - 1] ?? '' }] : [],
    );
  expect(tables.length).toBeGreaterThan(5);
  for (const { table, before } of tables)
    expect(before, table).toMatch(/^(Old figures: measured|Measured) at `[0-9a-f]{8}`/u);
});

import { expect, it } from 'vitest';
import { runSections, titlesOf } from './run-sections.ts';

it.each([
  [
    'generation',
    [
      'Generation: our contract, median of 1 runs; × is of hey-api: types, sdk, zod',
      'Generation: GitHub webhooks, median of 1 runs; × is of hey-api: types, sdk, zod',
      'Generation: GitHub REST, median of 1 runs; × is of hey-api: types, sdk, zod',
    ],
  ],
  [
    'classes',
    [
      "Generation: our contract, what is written, by class; × is of hey-api's types, sdk and zod",
      "Generation: GitHub webhooks, what is written, by class; × is of hey-api's types, sdk and zod",
      "Generation: GitHub REST, what is written, by class; × is of hey-api's types, sdk and zod",
    ],
  ],
  [
    'types',
    [
      'tsc over the code generated from 3 operations of GitHub REST, median of 1 runs',
      'tsserver, a file that imports the code generated from 3 operations of GitHub REST, median of 1 edits',
    ],
  ],
  [
    'imports',
    ['Imports: the code generated from our contract, in a new process, median of 1 runs'],
  ],
  [
    'footprint',
    ['Footprint: the code generated from GitHub REST, imports are the median of 1 runs'],
  ],
  [
    'stubs',
    [
      'Generation: stubs of handlers for all packages, median of 1 runs; more is than loading ts-morph',
    ],
  ],
  ['growth', ['Generation: the first operations of GitHub REST, median of 1 runs']],
  ['sizes', ['Generation: one large part, at a size and at twice that size, median of 1 runs']],
  ['reference', ['Generation: GitHub REST, median of 1 runs; more is than without the page']],
  [
    'simulator',
    [
      'Simulator: signed calls, half of them POST, over 32 connections of another process',
      'Simulator: signed notifications to a node:http receiver in another process',
      'countersign simulate, ready: the first start, and the median of 1 more',
      'Simulator: memory',
    ],
  ],
  [
    'inbox',
    [
      'Inbox: one signed notification of 700 bytes, acknowledged, over 64 connections',
      'Inbox: the same where each synchronization with the disk takes 5 ms longer',
      'Inbox: 100 events in SQLite handled, 64 at a time, each with one row of effect',
      'Inbox: 100 events in Postgres without order, 64 at a time in each process, with one row of effect, median of 1 runs',
      'Inbox: 100 events in Postgres of 500 ordered keys, 64 at a time in each process, with one row of effect, median of 1 runs',
      'Inbox: 2,000 receipts a second in SQLite',
      'Inbox: 100 events in SQLite, without HTTP',
    ],
  ],
])('the section %s runs to its end', { timeout: 600_000 }, async (section, titles) => {
  const { code, printed, errors } = await runSections([section]);
  expect(code, errors).toBe(0);
  expect(titlesOf(printed)).toEqual(titles);
});

it(
  'a revision is compared with this one: the same code has the same counts',
  { timeout: 900_000 },
  async () => {
    const { code, printed, errors } = await runSections(['--compare', 'HEAD', 'imports', 'calls']);
    expect(code, errors).toBe(0);
    expect(titlesOf(printed)).toEqual([
      'Counted: import of the generated client',
      'Counted: import of the generated receiver',
      'Counted: one signed call, without a network',
      'Times: × is the median ratio of the working tree to HEAD, of pairs of runs in turn, and the interval of this median (order statistics)',
    ]);
    const modules = /^\| modules, main thread \| (\d+) \| (\d+) \|/mu.exec(printed) ?? [];
    expect(modules[1]).toBe(modules[2]);
  },
);

it('no count grows between a revision and itself', { timeout: 900_000 }, async () => {
  const { code, printed, errors } = await runSections(['--bisect', 'HEAD', 'calls']);
  expect(code, errors).toBe(0);
  expect(printed).toContain('No counted figure grew since HEAD.');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFailureWarnings } from '../../../../packages/runtime/base/index.ts';

const failure = { code: 'COUNTERSIGN_TEST', message: 'A test failed', help: 'Repair it.' };

let emitted: unknown[][];

beforeEach(() => {
  emitted = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((...warning: unknown[]) => {
    emitted.push(warning);
  });
});
afterEach(() => vi.restoreAllMocks());

function thrown(message: string): Error {
  return new RangeError(message);
}

test('a failure is reported with class and frame, without its message', () => {
  createFailureWarnings()({ ...failure, error: thrown('secret') });
  expect(emitted).toEqual([
    [
      'A test failed: RangeError',
      {
        code: 'COUNTERSIGN_TEST',
        detail: expect.stringMatching(
          /^ {4}at .+failure-warnings\.test\.ts\S*:\d+:\d+\)?\nRepair it\.$/,
        ),
      },
    ],
  ]);
});

test('a failure without an error is reported without class and frame', () => {
  createFailureWarnings()(failure);
  expect(emitted).toEqual([['A test failed', { code: 'COUNTERSIGN_TEST', detail: 'Repair it.' }]]);
});

test('each cause is reported once', () => {
  const warn = createFailureWarnings();
  for (const message of ['a', 'b']) warn({ ...failure, error: thrown(message) });
  expect(emitted).toHaveLength(1);
  warn({ ...failure, error: new Error('elsewhere') });
  warn({ ...failure, message: 'Another test failed', error: thrown('a') });
  warn({ ...failure, error: undefined });
  expect(emitted).toHaveLength(4);
  createFailureWarnings()({ ...failure, error: thrown('a') });
  expect(emitted).toHaveLength(5);
});

test('causes without end are reported up to a maximum, which the last report states', () => {
  const warn = createFailureWarnings();
  for (let code = 0; code < 500; code += 1) warn({ ...failure, error: { code } });
  expect(emitted).toHaveLength(100);
  const ends = emitted.map(([, options]) => (options as { readonly detail: string }).detail);
  expect(ends.slice(-2)).toEqual(['Repair it.', 'Repair it.\nNo further cause is reported.']);
});

test.each<readonly [string, unknown]>([
  ['without `process`', undefined],
  ['with another `process`, as bundlers add to code for browsers', { env: {} }],
])('a platform %s gets a line of its console', (_what, platform) => {
  const lines = vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('process', platform);
  try {
    createFailureWarnings()(failure);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(lines.mock.calls).toEqual([['[COUNTERSIGN_TEST] Warning: A test failed\nRepair it.']]);
});

test('a warning that cannot be emitted fails nothing, and is a line of the console', () => {
  const lines = vi.spyOn(console, 'warn').mockReturnValue();
  vi.mocked(process.emitWarning).mockImplementation(() => {
    throw new Error('There is no way out.');
  });
  createFailureWarnings()(failure);
  expect(lines).toHaveBeenCalledOnce();
});

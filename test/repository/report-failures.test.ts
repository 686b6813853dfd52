import { expect, onTestFinished, test, vi } from 'vitest';
import type { TestCase } from 'vitest/node';
import { reportFailures } from '../report-failures.ts';

/** Returns what is printed when a test has ended. */
function printed(result: object): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const testCase = {
    fullName: 'kills > lose nothing',
    module: { relativeModuleId: 'test/kills.test.ts' },
    result: () => result,
  };
  // Vitest creates test cases with many members; the reporter reads these.
  reportFailures.onTestCaseResult?.(testCase as unknown as TestCase);
  const text = write.mock.calls.map(([chunk]) => String(chunk)).join('');
  write.mockRestore();
  return text;
}

test('a failure is printed with its file, its name, where it is, and the difference', () => {
  const [first, second] = [
    { message: 'expected 1', stack: 'expected 1\n    at kills.ts:9', diff: '- 1\n+ 2' },
    { message: 'a message without a stack' },
  ];
  expect(printed({ state: 'failed', errors: [first, second] })).toBe(
    'failed: test/kills.test.ts > kills > lose nothing\n' +
      'expected 1\n    at kills.ts:9\n- 1\n+ 2\na message without a stack\n\n',
  );
});

test.each(['passed', 'skipped', 'pending'])('nothing is printed of a test that is %s', (state) => {
  expect(printed({ state })).toBe('');
});

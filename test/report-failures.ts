import type { Reporter } from 'vitest/node';

/**
 * Prints each failure when it happens. Vitest prints them after the last test: of a run of half an hour that is ended
 * before, it is then not known why a test failed.
 */
export const reportFailures: Reporter = {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state !== 'failed') return;
    const details = errors.map(({ stack, message, diff = '' }) => `${stack ?? message}\n${diff}\n`);
    process.stderr.write(`failed: ${test.module.relativeModuleId} > ${test.fullName}\n`);
    process.stderr.write(details.join(''));
  },
};

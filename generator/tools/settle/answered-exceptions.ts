import type { LintException, LintSettings } from '../../config/lint-settings.ts';
import type { ReadContract } from '../../generate.ts';
import { lint } from '../lint/lint.ts';

/**
 * Returns the exceptions of lint that had an effect before answers, and have none after them: what they except was the
 * open question.
 */
export async function answeredExceptions(
  before: ReadContract,
  after: ReadContract,
  settings: LintSettings,
): Promise<readonly LintException[]> {
  const file = { path: '', text: '' };
  const unusedBefore = new Set((await lint(before, settings, file)).unused);
  const { unused } = await lint(after, settings, file);
  return unused.filter((exception) => !unusedBefore.has(exception));
}

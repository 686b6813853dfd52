import type { LintException, LintSettings } from '../../config/lint-settings.ts';
import type { ReadContract } from '../../generate.ts';
import { lint } from '../lint/lint.ts';
import { removeExceptions } from './remove-exceptions.ts';
import type { SettlePlan } from './plan.ts';

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

/**
 * Adds to a plan that the configuration loses exceptions. Returns those that somebody has to remove, because the
 * configuration does not have each as a literal.
 */
export function withoutExceptions(
  plan: SettlePlan,
  configuration: { readonly path: string; readonly text: string },
  exceptions: readonly LintException[],
): { readonly plan: SettlePlan; readonly left: readonly LintException[] } {
  if (exceptions.length === 0) return { plan, left: [] };
  const { path, text } = configuration;
  const planned = plan.edits.find((edit) => edit.path === path);
  const after = removeExceptions(path, planned?.after ?? text, exceptions);
  if (after === undefined) return { plan, left: exceptions };
  const others = plan.edits.filter((edit) => edit !== planned);
  return { plan: { ...plan, edits: [{ path, before: text, after }, ...others] }, left: [] };
}

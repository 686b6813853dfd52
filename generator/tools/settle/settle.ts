import type { Config } from '../../config/config.ts';
import type { LintException } from '../../config/lint-settings.ts';
import type { ReadContract } from '../../generate.ts';
import type { Answer } from './answer.ts';
import { answeredExceptions, withoutExceptions } from './answered-exceptions.ts';
import {
  assertSettled,
  plannedTexts,
  planSettle,
  type SettleContext,
  type SettlePlan,
} from './plan.ts';

/** What answers change, and the exceptions of lint that somebody has to remove after them. */
export interface Settled {
  readonly plan: SettlePlan;
  readonly left: readonly LintException[];
}

/**
 * Plans the changes that settle entries, and reads the contract with them. They include that the configuration loses the
 * exceptions of lint which the answers make unused.
 * @param read reads the contract of a configuration; the texts, by absolute path, replace those on the disk
 * @returns the contract with its errors, if it has any with these answers
 * @throws CommandError where `planSettle` does, and if a change has another effect than the answers
 */
export async function settle(
  answers: readonly Answer[],
  config: Config,
  context: Omit<SettleContext, 'contract'>,
  read: (config: Config, texts?: ReadonlyMap<string, string>) => Promise<ReadContract>,
): Promise<Settled | { readonly invalid: ReadContract }> {
  const { folder, documents, configuration, readText } = context;
  const { contract, lint } = config;
  const plan = planSettle(answers, { ...context, contract });
  const after = await read({ ...config, contract: plan.contract }, plannedTexts(plan, folder));
  if (after.contract === undefined) return { invalid: after };
  assertSettled(answers, documents, after.documents, after.contract.unstated);
  if (lint?.exceptions === undefined || plan.settled.length === 0) return { plan, left: [] };
  const unused = await answeredExceptions(await read(config), after, lint);
  const text = readText(configuration) ?? '';
  return withoutExceptions(plan, { path: configuration, text }, unused);
}

import type { Survival } from '../survival.ts';

/** The effect of a change on senders or on receivers. */
export interface Verdict {
  readonly deployed: Survival;
  readonly upgrade: Survival;
  readonly why: string;
  readonly migrate?: string;
}

/**
 * The title of a change code and its effects on senders and receivers. A direction that the change does not affect has
 * no verdict.
 */
export interface ChangeRule {
  readonly title: string;
  readonly sent?: Verdict;
  readonly received?: Verdict;
}

/** Creates a verdict for a change that breaks nothing. */
export function keeps(why: string, migrate?: string): Verdict {
  return {
    deployed: 'keeps',
    upgrade: 'keeps',
    why,
    ...(migrate === undefined ? {} : { migrate }),
  };
}

/** Creates a verdict for a change that breaks deployed integrations and newly compiled code. */
export function breaks(why: string, migrate: string): Verdict {
  return { deployed: 'breaks', upgrade: 'breaks', why, migrate };
}

/** Creates a verdict for a change that breaks deployed integrations, but no newly compiled code. */
export function breaksDeployed(why: string, migrate: string): Verdict {
  return { deployed: 'breaks', upgrade: 'keeps', why, migrate };
}

/** Creates a verdict for a change that breaks newly compiled code, but no deployed integrations. */
export function breaksUpgrade(why: string, migrate: string): Verdict {
  return { deployed: 'keeps', upgrade: 'breaks', why, migrate };
}

/** Creates a rule with the same verdict for senders and receivers. */
export function both(title: string, verdict: Verdict): ChangeRule {
  return { title, sent: verdict, received: verdict };
}

import type { Survival } from '../change.ts';

/** What a kind of change does to one side of a contract. */
export interface Verdict {
  readonly deployed: Survival;
  readonly upgrade: Survival;
  readonly why: string;
  readonly migrate?: string;
}

/**
 * A kind of change: what it is called, and what it does to those who send the value and to those who receive it.
 * A kind that meets one side only has no verdict for the other.
 */
export interface ChangeRule {
  readonly title: string;
  readonly sent?: Verdict;
  readonly received?: Verdict;
}

/** Nothing stops working. */
export function keeps(why: string, migrate?: string): Verdict {
  return {
    deployed: 'keeps',
    upgrade: 'keeps',
    why,
    ...(migrate === undefined ? {} : { migrate }),
  };
}

/** What runs today stops working, and so does code that is compiled anew. */
export function breaks(why: string, migrate: string): Verdict {
  return { deployed: 'breaks', upgrade: 'breaks', why, migrate };
}

/** What runs today stops working; code compiles as before. */
export function breaksDeployed(why: string, migrate: string): Verdict {
  return { deployed: 'breaks', upgrade: 'keeps', why, migrate };
}

/** What runs today goes on; code that is compiled anew has to be changed. */
export function breaksUpgrade(why: string, migrate: string): Verdict {
  return { deployed: 'keeps', upgrade: 'breaks', why, migrate };
}

/** A kind of change that means the same to both sides. */
export function both(title: string, verdict: Verdict): ChangeRule {
  return { title, sent: verdict, received: verdict };
}

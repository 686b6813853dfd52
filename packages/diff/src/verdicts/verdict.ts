/** Whether something keeps working after a change. */
export type Impact = 'breaks' | 'keeps';

/** The impact of a change on senders or on receivers. */
export interface Verdict {
  /** The impact on deployed integrations when the service adopts the change. */
  readonly deployed: Impact;
  /** The impact on the code of integrations, compiled against the packages that are generated after the change. */
  readonly upgrade: Impact;
  readonly why: string;
  /** What affected users have to do; omitted if there is nothing to do. */
  readonly migrate?: string;
}

/** The impact of a change by direction. A direction that the change does not affect has no verdict. */
export interface DirectedVerdicts {
  readonly sent?: Verdict;
  readonly received?: Verdict;
}

/** Creates a verdict for a change that breaks nothing. */
export function keeps(why: string, migrate?: string): Verdict {
  const advice = migrate === undefined ? {} : { migrate };
  return { deployed: 'keeps', upgrade: 'keeps', why, ...advice };
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

/** Creates the verdicts of changes that affect certain directions. */
export interface DirectedFactory {
  keeps(why: string, migrate?: string): DirectedVerdicts;
  breaks(why: string, migrate: string): DirectedVerdicts;
  breaksDeployed(why: string, migrate: string): DirectedVerdicts;
  breaksUpgrade(why: string, migrate: string): DirectedVerdicts;
}

function createFactory(direct: (verdict: Verdict) => DirectedVerdicts): DirectedFactory {
  return {
    keeps: (why, migrate) => direct(keeps(why, migrate)),
    breaks: (why, migrate) => direct(breaks(why, migrate)),
    breaksDeployed: (why, migrate) => direct(breaksDeployed(why, migrate)),
    breaksUpgrade: (why, migrate) => direct(breaksUpgrade(why, migrate)),
  };
}

/** The verdicts of changes that have the same impact on senders and receivers. */
export const both: DirectedFactory = createFactory((verdict) => ({
  sent: verdict,
  received: verdict,
}));

/** The verdicts of changes that affect only senders. */
export const sent: DirectedFactory = createFactory((verdict) => ({ sent: verdict }));

/** The verdicts of changes that affect only receivers. */
export const received: DirectedFactory = createFactory((verdict) => ({ received: verdict }));

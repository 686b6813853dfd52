import {
  both,
  breaks,
  breaksDeployed,
  breaksUpgrade,
  type DirectedVerdicts,
  keeps,
} from './verdict.ts';

export type LedgerChangeCode =
  | 'question-added'
  | 'question-added-open'
  | 'question-documented'
  | 'question-removed'
  | 'question-withdrawn'
  | 'question-reworded'
  | 'settled-as-assumed'
  | 'settled-differently'
  | 'settled-open'
  | 'settled-documented'
  | 'settled-anew'
  | 'unsettled'
  | 'assumption-changed'
  | 'assumption-added'
  | 'assumption-withdrawn'
  | 'choice-added'
  | 'choice-removed'
  | 'choice-changed';

const optionRemoved = 'The option is removed, because the contract states the answer.';
const deleteOption = 'Delete the option from your code.';
const unused = keeps('No generated code depends on it.');

/** The impact of changes of the ledger on users whose code depends on an answer. */
export const ledgerVerdicts: Readonly<Record<LedgerChangeCode, DirectedVerdicts>> = {
  'question-added': both(keeps('There is a new option with a default.', 'Check the assumption.')),
  'question-added-open': both(
    breaksUpgrade(
      'Code does not compile without an answer.',
      'Ask the operator of the service, and pass the answer as the option.',
    ),
  ),
  'question-documented': both(unused),
  'question-removed': both(breaksUpgrade('The option is removed.', deleteOption)),
  'question-withdrawn': both(unused),
  'question-reworded': both(keeps('The choices are the same.')),
  'settled-as-assumed': both(breaksUpgrade(optionRemoved, deleteOption)),
  'settled-differently': both(
    breaks(
      `Deployed code that relies on the assumption is wrong. ${optionRemoved}`,
      `Upgrade at once. ${deleteOption}`,
    ),
  ),
  'settled-open': both(
    breaksUpgrade(optionRemoved, `Compare your answer with this one. ${deleteOption}`),
  ),
  'settled-documented': both(unused),
  'settled-anew': both(breaksDeployed('Deployed code uses the old answer.', 'Upgrade at once.')),
  unsettled: both(
    breaksUpgrade('There is a new option.', 'Pass the option, or accept the assumption.'),
  ),
  'assumption-changed': both(
    breaksUpgrade(
      'Code that does not pass the option behaves differently after the upgrade.',
      'Pass the option where the old answer is right.',
    ),
  ),
  'assumption-added': both(keeps('The option can be omitted.')),
  'assumption-withdrawn': both(
    breaksUpgrade('Code does not compile without an answer.', 'Pass the option.'),
  ),
  'choice-added': both(keeps('The other choices are unchanged.')),
  'choice-removed': both(
    breaksUpgrade('Code that passes it does not compile.', 'Pass another choice.'),
  ),
  'choice-changed': both(
    breaksUpgrade(
      'Code that passes it behaves differently after the upgrade.',
      'Check the answer.',
    ),
  ),
};

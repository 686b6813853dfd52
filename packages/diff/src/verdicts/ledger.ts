import { both, breaks, type DirectedVerdicts, keeps } from './verdict.ts';

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
  | 'settled-narrowing'
  | 'settled-widening'
  | 'settled-anew'
  | 'unsettled'
  | 'unsettled-widening'
  | 'unsettled-documented'
  | 'assumption-changed'
  | 'assumption-added'
  | 'assumption-withdrawn'
  | 'choice-added'
  | 'choice-removed'
  | 'choice-changed';

const optionRemoved = 'The option is removed, because the contract states the answer.';
const deleteOption = 'Delete the option from your code.';
const unused = both.keeps('No generated code depends on it.');

/** The impact of changes of the ledger on users whose code depends on an answer. */
export const ledgerVerdicts: Readonly<Record<LedgerChangeCode, DirectedVerdicts>> = {
  'question-added': both.keeps('There is a new option with a default.', 'Check the assumption.'),
  'question-added-open': both.breaksUpgrade(
    'Code does not compile without an answer.',
    'Ask the operator of the service, and pass the answer as the option.',
  ),
  'question-documented': unused,
  'question-removed': both.breaksUpgrade('The option is removed.', deleteOption),
  'question-withdrawn': unused,
  'question-reworded': both.keeps('The choices are the same.'),
  'settled-as-assumed': both.breaksUpgrade(optionRemoved, deleteOption),
  'settled-differently': both.breaks(
    `Deployed code that relies on the assumption is wrong. ${optionRemoved}`,
    `Upgrade at once. ${deleteOption}`,
  ),
  'settled-open': both.breaksUpgrade(
    optionRemoved,
    `Compare your answer with this one. ${deleteOption}`,
  ),
  'settled-documented': unused,
  // The impact of the next three codes stands for the worst of the changes that follow from the answer.
  'settled-narrowing': {
    sent: breaks(
      'The answer narrows what is sent: requests in another reading are refused.',
      'Send what the answer states.',
    ),
    received: keeps(
      'The answer narrows what is received: every reading was accepted while the question was open.',
      'Upgrade after the service keeps to the answer: deliveries in another reading are then invalid.',
    ),
  },
  'settled-widening': both.breaks(
    'The answer states what deployed code does not expect.',
    'Upgrade at once.',
  ),
  'settled-anew': both.breaksDeployed('Deployed code uses the old answer.', 'Upgrade at once.'),
  unsettled: both.breaksUpgrade(
    'There is a new option.',
    'Pass the option, or accept the assumption.',
  ),
  'unsettled-widening': {
    sent: keeps('The open question widens what is sent: every reading is accepted.'),
    received: breaks(
      'The open question widens what is received: deployed receivers accept the old answer only.',
      'Upgrade every receiver before deliveries in another reading arrive.',
    ),
  },
  'unsettled-documented': unused,
  'assumption-changed': both.breaksUpgrade(
    'Code that does not pass the option behaves differently after the upgrade.',
    'Pass the option where the old answer is right.',
  ),
  'assumption-added': both.keeps('The option can be omitted.'),
  'assumption-withdrawn': both.breaksUpgrade(
    'Code does not compile without an answer.',
    'Pass the option.',
  ),
  'choice-added': both.keeps('The other choices are unchanged.'),
  'choice-removed': both.breaksUpgrade(
    'Code that passes it does not compile.',
    'Pass another choice.',
  ),
  'choice-changed': both.breaksUpgrade(
    'Code that passes it behaves differently after the upgrade.',
    'Check the answer.',
  ),
};

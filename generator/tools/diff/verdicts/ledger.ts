import { breaks, breaksDeployed, breaksUpgrade, both, type ChangeRule, keeps } from './verdict.ts';

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

const optionGone = 'The option is gone: the contract answers the question itself.';
const dropOption = 'Delete the option from your code.';

/** The effects of changes of the ledger on users whose code depends on an answer. */
export const ledgerRules: Readonly<Record<LedgerChangeCode, ChangeRule>> = {
  'question-added': both(
    'A question is new, and an answer is assumed.',
    keeps('There is one option more, with a default.', 'Check the assumption.'),
  ),
  'question-added-open': both(
    'A question is new, and nothing is assumed.',
    breaksUpgrade(
      'Code does not compile without an answer.',
      'Find out the answer and give the option.',
    ),
  ),
  'question-documented': both(
    'A question is new that no code waits for.',
    keeps('It tells what is not known.'),
  ),
  'question-removed': both('A question is gone.', breaksUpgrade('The option is gone.', dropOption)),
  'question-withdrawn': both(
    'A question that no code waits for is gone.',
    keeps('Nothing was made from it.'),
  ),
  'question-reworded': both(
    'A question is worded differently.',
    keeps('The choices are the same.'),
  ),
  'settled-as-assumed': both(
    'A question was settled as it was assumed.',
    breaksUpgrade(optionGone, dropOption),
  ),
  'settled-differently': both(
    'A question was settled otherwise than it was assumed.',
    breaks(
      `Whoever relied on the assumption is wrong today. ${optionGone}`,
      `Upgrade at once. ${dropOption}`,
    ),
  ),
  'settled-open': both(
    'A question was settled that had to be answered in code.',
    breaksUpgrade(optionGone, `Compare your answer with this one. ${dropOption}`),
  ),
  'settled-documented': both(
    'A question that no code waits for was settled.',
    keeps('Nothing was made from it.'),
  ),
  'settled-anew': both(
    'A settled question has another answer.',
    breaksDeployed('What runs today goes by the old answer.', 'Upgrade at once.'),
  ),
  unsettled: both(
    'A settled question is open again.',
    breaksUpgrade('There is one option more.', 'Give the option, or accept what is assumed.'),
  ),
  'assumption-changed': both(
    'Something else is assumed.',
    breaksUpgrade(
      'Code that does not give the option behaves otherwise after an upgrade.',
      'Give the option explicitly where the old answer is right.',
    ),
  ),
  'assumption-added': both(
    'An answer is assumed where there was none.',
    keeps('The option may be left out.'),
  ),
  'assumption-withdrawn': both(
    'Nothing is assumed any more.',
    breaksUpgrade('Code does not compile without an answer.', 'Give the option.'),
  ),
  'choice-added': both('A question has one more possible answer.', keeps('The others stay.')),
  'choice-removed': both(
    'A question has one possible answer less.',
    breaksUpgrade('Code that gives it no longer compiles.', 'Give another answer.'),
  ),
  'choice-changed': both(
    'A possible answer means something else.',
    breaksUpgrade('Code that gives it behaves otherwise after an upgrade.', 'Check the answer.'),
  ),
};

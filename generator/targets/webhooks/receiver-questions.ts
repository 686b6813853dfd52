import type { Contract } from '../../contract/contract.ts';
import { OpenQuestions } from '../open-questions.ts';

/** Names of options that receivers have whatever their contract leaves open, those of frameworks included. */
const ownOptions = (
  'authenticate mount methods limit readTimeLimit authenticationTimeLimit storeTimeLimit timeLimit strict numbers maxDepth responses replayStore lease ' +
  'onOutcome clock on otherwise onInvalid path include'
).split(' ');

/** What the contract leaves open about notifications. */
export function receiverQuestions(contract: Contract): OpenQuestions {
  const questions = new OpenQuestions(contract, ownOptions);
  for (const { dedupeBy } of contract.notifications)
    if (dedupeBy !== undefined) questions.valueOf(dedupeBy);
  return questions;
}

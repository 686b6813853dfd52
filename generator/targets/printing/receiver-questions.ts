import type { Contract } from '../../contract/contract.ts';
import { OpenQuestions } from '../open-questions.ts';

/** Names of the options that every receiver has, including those of frameworks. No other option gets one of them. */
export const ownOptions: readonly string[] = (
  'name tenant authenticate mount methods maxBodyBytes readTimeoutMs authenticationTimeoutMs storeTimeoutMs handlerTimeoutMs strict numbers maxDepth responses replayStore leaseMs ' +
  'onEvent clock on otherwise onInvalid deviations path include inbox forward stored orderBy identifyBy ' +
  'concurrency retry attemptTimeoutMs afterDeadLetter isPermanent kinds maxInterruptions onDeadLetter onError describeError pollIntervalMs random retention telemetry'
).split(' ');

/** Returns the open questions of the contract that concern notifications: those of their keys. */
export function receiverQuestions(contract: Contract): OpenQuestions {
  const questions = new OpenQuestions(contract, ownOptions);
  for (const { dedupeBy, orderedBy } of contract.notifications)
    for (const key of [dedupeBy, orderedBy]) if (key !== undefined) questions.valueOf(key);
  return questions;
}

import type { Contract } from '../../contract/contract.ts';
import { keptExpression, repetitionOf } from '../../contract/repetition.ts';
import { defaultAddress } from '../../contract/servers.ts';
import { alternativesOf } from '../../contract/used-schemes.ts';
import { usesVocabulary } from '../../documents/declared-vocabulary.ts';
import { type Code, code, imported } from '../code.ts';
import { literal, object, objectUnlessEmpty } from '../escape.ts';
import type { Json } from '../../json/json.ts';
import { OpenQuestions } from '../open-questions.ts';
import { canHavePattern } from '../../contract/signature-scheme.ts';
import { describeSecurity, type SecurityCode } from './security-code.ts';
import { describeParameter, everyRequestParameters, stylesOf } from './operation-data.ts';
import { describeServers } from './server-code.ts';
import { dependentOptions } from './dependent-options.ts';
import { callsOf } from '../../contract/calls.ts';

/** The contents of the connection module. */
export interface ConnectionCode {
  readonly questions: OpenQuestions;
  readonly security: SecurityCode;
  /** The types that the client's options have to match besides their own. */
  readonly dependencies: readonly Code[];
  /** The settings that all calls share: parameters of every request, security schemes, inputs, repetitions. */
  readonly service: Code;
  /** The account with the given credentials: security schemes and inputs. `undefined` where there are none. */
  readonly account: Code | undefined;
  /** The answers that the client's options give to open questions; `undefined` where there are no questions. */
  readonly answers: Code | undefined;
  /** Whether a response that violates its schema is an error by default: its authors keep to the contract. */
  readonly isStrict: boolean;
  /** The address of the contract's server, if it states one. */
  readonly address: string | undefined;
  /** Whether a client has to state the address of the service. */
  readonly needsBaseUrl: boolean;
}

/** Names of the client's own options. The option for an open question never gets one of them. */
export const ownOptions: readonly string[] = (
  'attemptTimeoutMs baseUrl baseUrls clock credentials fetch fetchSendsOnce headers idleTimeoutMs invalidRequest invalidResponse ' +
  'maxResponseBytes numbers onEvent random retry serverVariables signal sleep timeoutMs tokenStore tokenStoreKey uuid'
).split(' ');

/** Describes for the runtime the settings that all calls share. */
export function describeConnection(contract: Contract): ConnectionCode {
  const questions = new OpenQuestions(contract, ownOptions);
  const security = describeSecurity(contract, questions);
  const values = Array.from(everyRequestParameters(contract).values(), (parameter) => {
    const { everyRequest, name } = parameter;
    return describeParameter(parameter, stylesOf(contract), {
      value: questions.answerOf(everyRequest?.value ?? 'uuid'),
      retry: questions.answerOf(everyRequest?.retry ?? 'keep'),
      write: timestampWriter(contract, name, questions),
    });
  });
  const repeatable = callsOf(contract).map(({ operation }) => {
    const repetition = repetitionOf(contract, operation);
    const answer =
      repetition.because === 'unstated' ? questions.answerOf<Json>(repetition) : undefined;
    return [operation.id, answer] as const;
  });
  const { root, isRootUsed } = contract.servers;
  const address = defaultAddress(contract, root);
  const isStrict = usesVocabulary(contract.documents.openapi ?? {});
  const hasAccounts = security.credentials.length > 0;
  const schemes = object(security.schemes);
  const inputs = objectUnlessEmpty(security.inputs);
  return {
    questions,
    security,
    dependencies: dependentOptions(contract, questions),
    isStrict,
    service: object({
      ...describeServers(contract),
      invalidResponse: isStrict ? undefined : literal('report'),
      everyRequest: code`[${values}]`,
      schemes: hasAccounts ? code`account.schemes` : schemes,
      security: literal(alternativesOf(contract)),
      inputs: inputs === undefined || !hasAccounts ? inputs : code`account.inputs`,
      accountOf: hasAccounts ? code`accountOf` : undefined,
      repeatable: objectUnlessEmpty(repeatable),
      isKept: hasKeptValues(contract) ? imported('isKept') : undefined,
    }),
    account: hasAccounts ? object({ schemes, inputs }) : undefined,
    answers: objectUnlessEmpty(questions.answers()),
    address,
    needsBaseUrl: address === undefined && isRootUsed,
  };
}

/** Returns whether a call can be repeated on the condition that all attempts carry the same value. */
function hasKeptValues(contract: Contract): boolean {
  return callsOf(contract).some(({ operation }) => {
    const repetition = repetitionOf(contract, operation);
    if (repetition.because !== 'unstated') return repetition.because === 'kept';
    const entry = contract.unstated.find(({ id }) => id === repetition.unstated);
    return entry?.choices.some(({ value }) => keptExpression(value) !== undefined) === true;
  });
}

/** Returns the function that writes a timestamp header in the format of the signature that covers the header. */
function timestampWriter(
  contract: Contract,
  name: string,
  questions: OpenQuestions,
): Code | undefined {
  const signature = contract.security
    .flatMap((scheme) => scheme.signature ?? [])
    .find(({ timestamp }) => timestamp?.header?.toLowerCase() === name.toLowerCase());
  if (signature?.timestamp === undefined) return undefined;
  const format = questions.answerOf(signature.timestamp.format);
  const patterns = canHavePattern(contract, signature)
    ? code`, ${imported('timestampPatterns')}`
    : code``;
  return code`(milliseconds) => ${imported('writeTimestamp')}(milliseconds, ${format}${patterns})`;
}

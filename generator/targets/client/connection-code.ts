import type { Contract } from '../../contract/contract.ts';
import { repetitionOf } from '../../contract/lower/repetition.ts';
import { type Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { OpenQuestions } from '../open-questions.ts';
import { describeSecurity, type SecurityCode } from './security-code.ts';
import {
  describeParameter,
  everyRequestParameters,
  isAddress,
  stylesOf,
} from './operation-data.ts';
import type { PlannedOperation } from './plan.ts';

/** Everything that the module of the connection says. */
export interface ConnectionCode {
  readonly questions: OpenQuestions;
  readonly security: SecurityCode;
  /** What the contract says about every call: values of every request, schemes, inputs, repetitions. */
  readonly service: Code;
  /** What the client's options say to the questions of the contract; left out where there are none. */
  readonly answers: Code | undefined;
  readonly imports: readonly string[];
  /** The address where the contract has one that needs nothing filled in. */
  readonly address: string | undefined;
}

/** Names of options that are the client's own, which no question of the contract may take. */
export const ownOptions: readonly string[] = (
  'attemptTimeout baseUrl clock credentials fetch headers idleTimeout invalidResponse maxResponseBytes numbers ' +
  'onEvent random retry signal sleep timeout tokenStore uuid'
).split(' ');

/** Describes for the runtime what the contract says about every call. */
export function describeConnection(
  contract: Contract,
  planned: readonly PlannedOperation[],
): ConnectionCode {
  const questions = new OpenQuestions(contract, ownOptions);
  const security = describeSecurity(contract, planned, questions);
  const imports = new Set(security.imports);
  const use = (name: string): Code => {
    imports.add(name);
    return identifier(name);
  };
  const values = Array.from(everyRequestParameters(contract).values(), (parameter) => {
    const { everyRequest, name } = parameter;
    const format = timestampFormat(contract, name, questions);
    return describeParameter(parameter, stylesOf(contract), use, [
      code`value: ${questions.answerOf(everyRequest?.value ?? 'uuid')}`,
      code`retry: ${questions.answerOf(everyRequest?.retry ?? 'keep')}`,
      ...(format === undefined ? [] : [code`format: ${format}`]),
    ]);
  });
  const entries = (list: readonly { readonly id: string; readonly text: Code }[]): Code =>
    joinCode(
      list.map(({ id, text }) => code`${memberName(id)}: ${text}`),
      ', ',
    );
  const usual = (contract.defaultSecurity ?? []).map((schemes) =>
    schemes.map(({ scheme }) => scheme),
  );
  const repeatable = planned.flatMap(({ operation }) => {
    const repetition = repetitionOf(contract, operation);
    if (repetition.because !== 'unstated') return [];
    const { unstated } = repetition;
    return [{ id: operation.id, text: questions.answerOf<boolean>({ unstated }) }];
  });
  const service = joinCode(
    [
      code`everyRequest: [${joinCode(values, ', ')}]`,
      code`schemes: { ${entries(security.schemes)} }`,
      code`security: ${literal(usual)}`,
      ...(security.inputs.length === 0 ? [] : [code`inputs: { ${entries(security.inputs)} }`]),
      ...(repeatable.length === 0 ? [] : [code`repeatable: { ${entries(repeatable)} }`]),
    ],
    ', ',
  );
  const answers = questions.answers();
  if (answers.length > 0) use('choose');
  const [server] = contract.info.servers;
  return {
    questions,
    security,
    service: code`{ ${service} }`,
    answers: answers.length === 0 ? undefined : code`{ ${joinCode(answers, ', ')} }`,
    imports: [...imports],
    address: server !== undefined && isAddress(server) ? server.url : undefined,
  };
}

/** A timestamp is written as the signature that covers it says; the contract says it nowhere else. */
function timestampFormat(
  contract: Contract,
  name: string,
  questions: OpenQuestions,
): Code | undefined {
  const timestamp = contract.security
    .map(({ signature }) => signature?.timestamp)
    .find((candidate) => candidate?.header?.toLowerCase() === name.toLowerCase());
  return timestamp === undefined ? undefined : questions.answerOf(timestamp.format);
}

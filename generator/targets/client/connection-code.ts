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

/** The contents of the connection module. */
export interface ConnectionCode {
  readonly questions: OpenQuestions;
  readonly security: SecurityCode;
  /** The settings that all calls share: parameters of every request, security schemes, inputs, repetitions. */
  readonly service: Code;
  /** The answers that the client's options give to open questions; `undefined` where there are no questions. */
  readonly answers: Code | undefined;
  readonly imports: readonly string[];
  /** The URL of the contract's first server, if it is absolute and has no variables. */
  readonly address: string | undefined;
}

/** Names of the client's own options. The option for an open question never gets one of them. */
export const ownOptions: readonly string[] = (
  'attemptTimeout baseUrl clock credentials fetch headers idleTimeout invalidResponse maxResponseBytes numbers ' +
  'onEvent random retry signal sleep timeout tokenStore uuid'
).split(' ');

/** Describes for the runtime the settings that all calls share. */
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

/** Returns the format of a timestamp header. Only the signature that covers the header states it. */
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

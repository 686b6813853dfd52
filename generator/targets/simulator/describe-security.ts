import type { QuestionData, SchemeData, ServiceData } from '@countersign/simulator';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import { optional } from '../../json/json.ts';
import { planOperations } from '../client/plan.ts';
import { describeSecurity } from '../client/security-code.ts';
import { OpenQuestions } from '../open-questions.ts';
import { toData } from './samples.ts';

/** Describes how calls are authenticated, with the names of credentials that the generated client uses. */
export function describeSchemes(contract: Contract): Pick<ServiceData, 'schemes' | 'credentials'> {
  const { credentials } = describeSecurity(contract, new OpenQuestions(contract, []));
  const nameOf = (owner: string): string | undefined =>
    credentials.find((credential) => credential.owner === owner)?.name;
  const pairs = new Set(
    contract.security.filter(({ httpScheme }) => httpScheme === 'basic').map(({ id }) => id),
  );
  return {
    schemes: contract.security.map((scheme) => describeScheme(contract, scheme, nameOf)),
    credentials: credentials.map(({ name, owner, description, sentBy }) => ({
      name,
      ...optional('description', description),
      form: owner.startsWith('key ') ? 'key' : pairs.has(owner) ? 'pair' : 'text',
      ...optional('sentBy', sentBy),
    })),
  };
}

function describeScheme(
  contract: Contract,
  scheme: SecurityScheme,
  nameOf: (owner: string) => string | undefined,
): SchemeData {
  const { id, type, parameterName, httpScheme, signature, accessToken } = scheme;
  const credential =
    signature === undefined ? nameOf(id) : nameOf(`key ${signature.key.credential}`);
  const issuing = planOperations(contract).planned.find(
    ({ operation }) => operation.id === accessToken?.operation,
  );
  return {
    id,
    type,
    ...optional('in', scheme.in),
    ...optional('parameterName', parameterName),
    ...optional('httpScheme', httpScheme),
    ...optional('credential', credential),
    ...(signature === undefined
      ? {}
      : {
          signature: {
            algorithm: signature.algorithm,
            key: {
              encoding: signature.key.encoding,
              ...optional('prefix', signature.key.prefix),
            },
            over: signature.over,
            encoding: signature.encoding,
            header: parameterName ?? id,
            value: signature.value,
            ...optional('separator', signature.separator),
            ...optional('timestamp', signature.timestamp),
          },
        }),
    ...(accessToken === undefined || issuing === undefined
      ? {}
      : { accessToken: { ...accessToken, operation: issuing.name } }),
  };
}

/** Describes the questions of the ledger that are not settled and have choices. */
export function describeQuestions({ unstated }: Contract): readonly QuestionData[] {
  return unstated
    .filter(({ settled, choices }) => settled === undefined && choices.length > 0)
    .map(({ id, optionName, question, assumed, choices }) => ({
      id,
      optionName,
      question,
      ...optional('assumed', assumed),
      choices: choices.map(({ name, meaning, value }) => ({
        name,
        meaning,
        value: toData(value),
      })),
    }));
}

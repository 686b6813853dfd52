import type {
  CredentialData,
  Question,
  SchemeData,
  ServiceData,
  SignatureData,
} from '@countersign/simulator';
import type { Contract, Credential, SecurityScheme, Signature } from '../../contract/contract.ts';
import { openScheme, toBodyScheme } from '../../contract/signature-scheme.ts';
import { optional, pick } from '../../json/json.ts';
import { describeTokenEndpoints, type DescribedEndpoints } from './describe-token-endpoints.ts';

/** Describes how calls are authenticated, with the names of credentials that the generated client uses. */
export function describeSchemes(
  contract: Contract,
  { accessTokens }: DescribedEndpoints = describeTokenEndpoints(contract),
): Pick<ServiceData, 'security' | 'credentials'> {
  return {
    security: contract.security.map((scheme) => ({
      ...describeScheme(scheme),
      ...optional('accessToken', accessTokens.get(scheme.id) ?? accessTokenOf(contract, scheme)),
    })),
    credentials: contract.credentials.map(describeCredential),
  };
}

function describeCredential({ sentBy, ...credential }: Credential): CredentialData {
  return {
    ...pick(credential, 'name', 'description', 'form', 'isPublic', 'value'),
    ...optional('sentBy', sentBy && pick(sentBy, 'operation', 'in', 'name', 'isOptional')),
  };
}

function describeScheme(scheme: SecurityScheme): SchemeData {
  const { signature, bodySignature } = scheme;
  return {
    ...pick(scheme, 'id', 'type', 'in', 'parameterName', 'httpScheme', 'credential'),
    ...optional('signature', signature && describeSignature(scheme, signature)),
    ...optional('bodySignature', bodySignature && toBodyScheme(bodySignature)),
  };
}

/** Describes the token that an operation issues; `undefined` for other schemes, or if the operation gets no function. */
function accessTokenOf(
  { operations }: Contract,
  { accessToken }: SecurityScheme,
): SchemeData['accessToken'] {
  const issuing = operations.find(({ id }) => id === accessToken?.operation)?.names;
  return accessToken && issuing && { ...accessToken, operation: issuing.name };
}

function describeSignature(scheme: SecurityScheme, signature: Signature): SignatureData {
  const stated = openScheme(scheme, signature);
  return { ...stated, key: { ...stated.key, ...optional('jwks', signature.key.jwks) } };
}

/** Describes the questions of the ledger that are not settled and have choices. */
export function describeQuestions({ unstated }: Contract): readonly Question[] {
  return unstated
    .filter(({ settled, choices }) => settled === undefined && choices.length > 0)
    .map((entry) => pick(entry, 'id', 'optionName', 'question', 'assumed', 'choices'));
}

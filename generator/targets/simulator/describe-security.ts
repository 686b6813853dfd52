import type {
  CredentialData,
  Question,
  SchemeData,
  ServiceData,
  SignatureData,
} from '@countersign/simulator';
import { proofsOf, schemeOf } from '../../contract/authentication.ts';
import type { Contract, SecurityScheme, Signature } from '../../contract/contract.ts';
import { NameRegistry, toMemberName } from '../../contract/names.ts';
import { signingCredential } from '../../contract/sent-proofs.ts';
import { openScheme, toBodyScheme } from '../../contract/signature-scheme.ts';
import { requiredScopes } from '../../contract/used-schemes.ts';
import { optional, pick } from '../../json/json.ts';
import { describeSecurity } from '../printing/security-code.ts';
import { OpenQuestions } from '../open-questions.ts';
import { describeTokenEndpoints, type DescribedEndpoints } from './describe-token-endpoints.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas } from '../../schema/references.ts';

/** Describes how calls are authenticated, with the names of credentials that the generated client uses. */
export function describeSchemes(
  contract: Contract,
  { accessTokens }: DescribedEndpoints = describeTokenEndpoints(contract),
): Pick<ServiceData, 'security' | 'credentials'> {
  const { credentials } = describeSecurity(contract, new OpenQuestions(contract, []));
  const bodyKeys = describeBodyKeys(contract, credentials);
  const nameOf = (owner: string): string | undefined =>
    [...credentials, ...bodyKeys].find((credential) => credential.owner === owner)?.name;
  const pairs = new Set(
    contract.security
      .filter(({ id, httpScheme }) => httpScheme === 'basic' || accessTokens.has(id))
      .map(({ id }) => id),
  );
  return {
    security: contract.security.map((scheme) => ({
      ...describeScheme(contract, scheme, nameOf),
      ...optional('accessToken', accessTokens.get(scheme.id) ?? accessTokenOf(contract, scheme)),
    })),
    credentials: [
      ...credentials.map(({ name, owner, description, schema, sentBy }) => ({
        name,
        ...optional('description', description),
        form: owner.startsWith('key ')
          ? ('key' as const)
          : pairs.has(owner)
            ? ('pair' as const)
            : ('text' as const),
        ...optional('sentBy', sentBy),
        ...(schema === undefined || sentBy === undefined
          ? {}
          : describePublicValue(contract, sentBy, new SchemaNode(schema))),
      })),
      ...bodyKeys.map(({ name, description }) => ({ name, description, form: 'key' as const })),
    ],
  };
}

/** A key that deliveries are signed with and calls are not. */
interface BodyKey {
  readonly name: string;
  readonly owner: string;
  readonly description: string;
}

/** Describes the keys of signatures in the bodies of notifications that the client does not need. */
function describeBodyKeys(
  contract: Contract,
  credentials: readonly { readonly name: string; readonly owner: string }[],
): readonly BodyKey[] {
  const names = new NameRegistry<string>();
  const owners = new Set(credentials.map(({ owner }) => owner));
  for (const { name, owner } of credentials) names.claim(name, owner);
  const keys: BodyKey[] = [];
  for (const proof of proofsOf(contract, 'body-signature')) {
    const security = schemeOf(contract, proof);
    const credential = security.bodySignature?.key.credential ?? security.id;
    const owner = `key ${credential}`;
    if (owners.has(owner)) continue;
    owners.add(owner);
    const name = names.claimFree(toMemberName(credential), owner);
    keys.push({ name, owner, description: `The key of the signature \`${security.id}\`.` });
  }
  return keys;
}

/** The parameters of token requests that RFC 6749, 7521, 8693 and 8707 define and that are not secret. */
const publicNames: ReadonlySet<string> = new Set([
  'actortokentype',
  'audience',
  'clientassertiontype',
  'granttype',
  'redirecturi',
  'requestedtokentype',
  'resource',
  'responsetype',
  'scope',
  'scopes',
  'subjecttokentype',
]);

/**
 * Describes a value of a token request that is not a secret: by its name, or because the contract lists its values or
 * states a type that a secret does not have.
 */
function describePublicValue(
  contract: Contract,
  { name }: { readonly name: string },
  schema: SchemaNode,
): Pick<CredentialData, 'isPublic' | 'value'> {
  const target = schema.target(indexSchemas(contract));
  const nodes = [schema, ...(target === undefined ? [] : [new SchemaNode(target)])];
  const first = <T>(read: (node: SchemaNode) => T | undefined): T | undefined =>
    nodes.map(read).find((value) => value !== undefined);
  const values = first((node) => node.values);
  const types = first((node) => node.types);
  const plain = name.toLowerCase().replaceAll(/[^a-z]/gu, '');
  const isPublic =
    publicNames.has(plain) ||
    values !== undefined ||
    (types !== undefined && !types.includes('string')) ||
    ['uri', 'date', 'date-time'].includes(first((node) => node.text('format')) ?? '');
  if (!isPublic) return {};
  const stated = [
    values?.[0],
    ...['default', 'example'].map((keyword) => first((node) => node.keywords[keyword])),
    first((node) => node.list('examples')?.[0]),
    plain.startsWith('scope') ? scopesOf(contract) : undefined,
    plain === 'granttype' ? 'client_credentials' : undefined,
  ].find(
    (candidate) => candidate !== undefined && candidate !== null && typeof candidate !== 'object',
  );
  return {
    isPublic: true,
    ...optional('value', stated === undefined ? undefined : String(stated)),
  };
}

/** Returns the scopes that calls require, as a token request carries them. */
function scopesOf(contract: Contract): string | undefined {
  const scopes = requiredScopes(contract);
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

function describeScheme(
  contract: Contract,
  scheme: SecurityScheme,
  nameOf: (owner: string) => string | undefined,
): SchemeData {
  const { id, signature, bodySignature } = scheme;
  const key = signingCredential(contract, scheme);
  const credential = key === '' ? nameOf(id) : nameOf(`key ${key}`);
  return {
    ...pick(scheme, 'id', 'type', 'in', 'parameterName', 'httpScheme'),
    ...optional('credential', credential),
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

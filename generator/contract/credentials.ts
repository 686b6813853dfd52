import { optional } from '../json/json.ts';
import { type Pointer, toPointer } from '../json/pointer.ts';
import { SchemaNode } from '../schema/node.ts';
import { indexSchemas } from '../schema/references.ts';
import type { Contract, Credential, Operation, SecurityScheme } from './contract.ts';
import { type Claim, distinctNames, toMemberName } from './names.ts';
import { factsOf, proofKindOf } from './proof-kinds/kinds.ts';
import { isKeyPair, namesKeys } from './signature-scheme.ts';
import { tokenInputOf, type TokenValue } from './token-input.ts';
import { requiredSchemes, requiredScopes, usedSchemes } from './used-schemes.ts';

type Sources = Omit<Contract, 'credentials' | 'authentication'>;

/** The credentials of a contract, and its schemes with the names of those that they have. */
type Described = Pick<Contract, 'credentials' | 'security'>;

/**
 * Names the secrets that the operator of the service issues: those that calls need, then the keys with which deliveries
 * alone are signed.
 */
export function describeCredentials(contract: Sources): Described {
  const named = nameCredentials(contract);
  const names = new Map(named.map(({ owner, credential }) => [owner, credential.name]));
  return {
    credentials: named.map(({ credential }) => credential),
    security: contract.security.map((scheme) => {
      const { credential: _, ...others } = scheme;
      return { ...others, ...optional('credential', names.get(ownerOf(contract, scheme))) };
    }),
  };
}

/** A credential, and what decides its name. */
interface NamedCredential {
  /** What has it. Two schemes that have the same owner share one. */
  readonly owner: string;
  /** The name that it has if no other credential wants it. */
  readonly wanted: string;
  readonly pointer: Pointer;
  readonly credential: Credential;
}

/**
 * Returns the credentials with their names, none of which depends on the order of the contract. What several token
 * requests would call the same has the name of the operation too.
 */
export function nameCredentials(contract: Sources): readonly NamedCredential[] {
  const credentials = new Credentials();
  const used = usedSchemes(contract);
  const demanded = requiredSchemes(contract);
  for (const scheme of contract.security.filter(({ id }) => used.has(id)))
    addOfCalls(credentials, contract, scheme, demanded.has(scheme.id));
  const signed = new Set(contract.notifications.flatMap(({ security }) => security.flat()));
  const stated = new Set(Array.from(signed, ({ scheme }) => scheme));
  for (const scheme of contract.security.filter(({ id }) => stated.has(id)))
    addOfDeliveries(credentials, scheme);
  const collected = [...credentials.list];
  const short = distinctNames(collected);
  const names = distinctNames(
    collected.map(({ full, ...claim }, index) => {
      const name = short[index] ?? claim.wanted;
      return { ...claim, wanted: name === claim.wanted ? name : (full ?? name) };
    }),
  );
  return collected.map(({ place: owner, wanted, pointer, credential }, index) => ({
    owner,
    wanted,
    pointer,
    credential: { name: names[index] ?? wanted, ...credential },
  }));
}

/** The claim of a credential, whose place is its owner. */
interface CredentialClaim extends Claim {
  /** The name that it wants if others want the first. */
  readonly full?: string;
  readonly pointer: Pointer;
}

type Unnamed = Omit<Credential, 'name'>;

/** Collects credentials. Two schemes that have the same owner share one. */
class Credentials {
  readonly #byOwner = new Map<string, CredentialClaim & { readonly credential: Unnamed }>();

  get list(): Iterable<CredentialClaim & { readonly credential: Unnamed }> {
    return this.#byOwner.values();
  }

  has(owner: string): boolean {
    return this.#byOwner.has(owner);
  }

  add(claim: CredentialClaim, credential: Unnamed): void {
    const { deprecated, required } = credential;
    const earlier = this.#byOwner.get(claim.place);
    this.#byOwner.set(claim.place, {
      ...(earlier ?? claim),
      credential: {
        ...credential,
        deprecated: deprecated && earlier?.credential.deprecated !== false,
        required: required || earlier?.credential.required === true,
      },
    });
  }
}

/** Returns what identifies the credential of a scheme: the key of a signature, or the scheme itself. */
function ownerOf(contract: Sources, scheme: SecurityScheme): string {
  const kind = proofKindOf(scheme, contract);
  const key = kind && factsOf(kind).credentialOf?.(scheme);
  return key === undefined ? scheme.id : ownerOfKey(key);
}

function ownerOfKey(credential: string): string {
  return `key ${credential}`;
}

function claimOfKey(credential: string, pointer: Pointer): CredentialClaim {
  return {
    wanted: toMemberName(credential),
    id: credential,
    place: ownerOfKey(credential),
    pointer,
  };
}

function addOfCalls(
  credentials: Credentials,
  contract: Sources,
  scheme: SecurityScheme,
  required: boolean,
): void {
  const { id, name, type, accessToken, signature, source, notes, description } = scheme;
  const deprecated = scheme.deprecated === true;
  const about = { source, ...optional('notes', notes), deprecated, required };
  // Calls have no signatures in the body.
  if (scheme.bodySignature !== undefined) return;
  if (signature !== undefined) {
    const { key } = signature;
    const place = toPointer(scheme.pointer, 'x-signature', 'key');
    credentials.add(claimOfKey(key.credential, place), {
      form: 'key',
      description: key.description ?? describeKey(contract, scheme, signature),
      places: [place],
      ...about,
    });
  } else if (accessToken !== undefined) {
    const issuing = contract.operations.find((operation) => operation.id === accessToken.operation);
    if (issuing !== undefined) addTokenInput(credentials, contract, issuing, required);
  } else if (isSent(scheme)) {
    const isPair =
      scheme.httpScheme === 'basic' ||
      contract.servers.tokenEndpoints.some(({ schemes }) => schemes.includes(id));
    credentials.add(
      { wanted: name, id, place: id, pointer: scheme.pointer },
      {
        form: isPair && (type === 'http' || type === 'oauth2') ? 'pair' : 'text',
        ...optional('description', description),
        places: [scheme.pointer],
        ...about,
      },
    );
  }
}

/** Returns whether a call carries the credential of a scheme as it is, or what it obtains with it. */
function isSent({ type, in: place }: SecurityScheme): boolean {
  return type === 'apiKey' ? place !== 'path' : ['http', 'oauth2', 'openIdConnect'].includes(type);
}

function describeKey(
  contract: Sources,
  { id }: SecurityScheme,
  signature: NonNullable<SecurityScheme['signature']>,
): string {
  if (!isKeyPair(contract, signature))
    return `The key of the signature \`${id}\`: text in the encoding of the contract, or the bytes of the key.`;
  const form =
    signature.key.encoding === undefined ? '' : ', or text in the encoding of the contract';
  const keyId = namesKeys(signature) ? ' With its id: `{ id, key }`, or the `kid` of the JWK.' : '';
  return `The private key of the signature \`${id}\`: PEM or a JWK${form}.${keyId}`;
}

/**
 * Adds what a token request carries: each required parameter and each property of the body, but no constant.
 * @param required whether calls need the token, so that the user has to provide the credentials that it requires
 */
function addTokenInput(
  credentials: Credentials,
  contract: Sources,
  operation: Operation,
  required: boolean,
): void {
  if (operation.names === undefined) return;
  for (const value of tokenInputOf(contract, operation).values) {
    const node = new SchemaNode(value.schema);
    if (node.constant !== undefined) continue;
    const claim = {
      wanted: toMemberName(value.name),
      full: toMemberName(`${operation.id} ${value.name}`),
      id: value.name,
      place: `${operation.id} ${value.name}`,
      pointer: operation.pointer,
    };
    credentials.add(claim, {
      form: 'text',
      ...optional('description', node.text('description')),
      places: [],
      source: value.source,
      ...optional('notes', node.notes),
      deprecated: false,
      required: required && value.required,
      sentBy: {
        operation: operation.names.name,
        in: value.in,
        name: value.name,
        schema: value.schema,
        ...(value.required ? {} : { isOptional: true as const }),
      },
      ...describePublicValue(contract, value),
    });
  }
}

/** Adds the key of a signature in bodies, unless calls have it. */
function addOfDeliveries(
  credentials: Credentials,
  { id, bodySignature, source, pointer }: SecurityScheme,
): void {
  if (bodySignature === undefined) return;
  const { credential } = bodySignature.key;
  if (credentials.has(ownerOfKey(credential))) return;
  credentials.add(claimOfKey(credential, pointer), {
    form: 'key',
    description: `The key of the signature \`${id}\`.`,
    places: [],
    source,
    deprecated: false,
    required: false,
    isOfDeliveries: true,
  });
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
  contract: Sources,
  { name, schema }: TokenValue,
): Pick<Credential, 'isPublic' | 'value'> {
  const node = new SchemaNode(schema);
  const target = node.target(indexSchemas(contract));
  const nodes = [node, ...(target === undefined ? [] : [new SchemaNode(target)])];
  const first = <T>(read: (node: SchemaNode) => T | undefined): T | undefined =>
    nodes.map(read).find((value) => value !== undefined);
  const values = first((it) => it.values);
  const types = first((it) => it.types);
  const plain = name.toLowerCase().replaceAll(/[^a-z]/gu, '');
  const isPublic =
    publicNames.has(plain) ||
    values !== undefined ||
    (types !== undefined && !types.includes('string')) ||
    ['uri', 'date', 'date-time'].includes(first((it) => it.text('format')) ?? '');
  if (!isPublic) return {};
  const stated = [
    values?.[0],
    ...['default', 'example'].map((keyword) => first((it) => it.keywords[keyword])),
    first((it) => it.list('examples')?.[0]),
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
function scopesOf(contract: Sources): string | undefined {
  const scopes = requiredScopes(contract);
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

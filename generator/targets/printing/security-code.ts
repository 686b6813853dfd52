import type { Contract, Credential, SecurityScheme, Signature } from '../../contract/contract.ts';
import { isKeyPair } from '../../contract/signature-scheme.ts';
import { Code, code, imported } from '../code.ts';
import { identifier, literal, object, objectUnlessEmpty } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import { signatureSchemeCode } from '../signature-scheme.ts';
import { type Call, callsOf, namespace } from '../../contract/calls.ts';
import { groupOf } from '../../contract/inputs.ts';
import { tokenInputOf, type TokenValue } from '../../contract/token-input.ts';
import { usedSchemes } from '../../contract/used-schemes.ts';
import { SchemaNode } from '../../schema/node.ts';
import { answerPlace } from './pages-data.ts';

/** A credential with its type in the options of a client. */
export interface TypedCredential extends Credential {
  readonly type: Code;
}

/** The parts of the connection module that concern security. */
export interface SecurityCode {
  readonly credentials: readonly TypedCredential[];
  /** The code of an authorizer for each security scheme, by the scheme's name in the contract. */
  readonly schemes: readonly (readonly [id: string, authorizer: Code])[];
  /** The inputs that are made of credentials, by the id of their operation. */
  readonly inputs: ReadonlyMap<string, Code>;
  /** The operations that the module imports, by their ids: those that issue tokens. */
  readonly operations: ReadonlyMap<string, Call>;
}

/** What describing the authorizers collects. */
interface Draft {
  readonly contract: Contract;
  readonly questions: OpenQuestions;
  /** The types of credentials by their names. */
  readonly types: Map<string, Code>;
  readonly inputs: Map<string, Code>;
  readonly operations: Map<string, Call>;
}

/** Describes the credentials and authorizers for the contract's security schemes that operations use. */
export function describeSecurity(contract: Contract, questions: OpenQuestions): SecurityCode {
  const used = usedSchemes(contract);
  const draft: Draft = {
    contract,
    questions,
    types: new Map(),
    inputs: new Map(),
    operations: new Map(),
  };
  const schemes = contract.security
    .filter(({ id }) => used.has(id))
    .map((scheme) => [scheme.id, authorizer(draft, scheme)] as const);
  const credentials = contract.credentials.flatMap((credential) => {
    const type = draft.types.get(credential.name);
    return type === undefined ? [] : [{ ...credential, type }];
  });
  return { ...draft, schemes, credentials };
}

/** Returns the code that reads a credential, and remembers its type. */
function read({ types }: Draft, name: string, type: Code): Code {
  types.set(name, type);
  return code`credentials.${identifier(name)}`;
}

function authorizer(draft: Draft, scheme: SecurityScheme): Code {
  const { accessToken, signature, bodySignature } = scheme;
  // Calls have no signatures in the body: no header or parameter carries the scheme.
  if (bodySignature !== undefined) return code`${imported('outside')}()`;
  if (signature !== undefined) return signer(draft, scheme, signature);
  if (accessToken !== undefined) return tokenCarrier(draft, scheme, accessToken);
  const readCredential = (type: Code): Code => read(draft, scheme.credential ?? '', type);
  switch (scheme.type) {
    case 'apiKey': {
      if (scheme.in === 'path') return code`${imported('outside')}()`;
      const place = { header: 'headers', query: 'query', cookie: 'cookies' }[scheme.in ?? 'header'];
      const name = scheme.parameterName ?? scheme.id;
      return code`${imported('apiKey')}(${literal(place)}, ${literal(name)}, ${readCredential(new Code('string'))})`;
    }
    case 'http': {
      if (scheme.httpScheme === 'basic') {
        const type = new Code('{ readonly username: string; readonly password: string }');
        return code`${imported('basic')}(${readCredential(type)})`;
      }
      // For other schemes the credential is the whole value of the header, including the name of the scheme.
      const word = scheme.httpScheme === 'bearer' ? 'Bearer' : '';
      return code`${imported('bearer')}(${literal(word)}, ${readCredential(imported('GivenToken'))})`;
    }
    case 'oauth2':
      return oauthCarrier(draft.contract, scheme, readCredential);
    case 'openIdConnect':
      return code`${imported('bearer')}("Bearer", ${readCredential(imported('GivenToken'))})`;
    default:
      return code`${imported('outside')}()`;
  }
}

/** Describes an OAuth scheme: with the client credentials flow, the client can obtain the token itself. */
function oauthCarrier(
  contract: Contract,
  scheme: SecurityScheme,
  read: (type: Code) => Code,
): Code {
  const { tokenEndpoints } = contract.servers;
  const endpoint = tokenEndpoints.find(({ schemes }) => schemes.includes(scheme.id));
  if (endpoint === undefined)
    return code`${imported('bearer')}("Bearer", ${read(imported('GivenToken'))})`;
  const described = object({
    id: literal(`token request of ${scheme.id}`),
    server: literal(endpoint.key),
    path: literal(endpoint.path),
  });
  const type = code`${imported('ClientCredentials')} | ${imported('GivenToken')}`;
  return code`${imported('clientCredentials')}(${described}, ${read(type)})`;
}

function signer(draft: Draft, scheme: SecurityScheme, signature: Signature): Code {
  const isPair = isKeyPair(draft.contract, signature);
  const type = isPair ? imported('PrivateKey') : new Code('string | Uint8Array');
  const key = read(draft, scheme.credential ?? '', type);
  const { timestamp } = signature;
  // The client verifies no signature, so the tolerance has no effect. The scheme requires one.
  const tolerance = typeof timestamp?.tolerance === 'number' ? timestamp.tolerance : 300;
  const signed = timestamp ? { ...signature, timestamp: { ...timestamp, tolerance } } : signature;
  const text = signatureSchemeCode(signed, (value) => draft.questions.answerOf(value));
  const create = imported(isPair ? 'createKeyPairSigner' : 'createSigner');
  return code`${imported('signature')}(${create}, ${text}, ${key})`;
}

function tokenCarrier(
  draft: Draft,
  scheme: SecurityScheme,
  { operation: issuing, token, lifetime, value }: NonNullable<SecurityScheme['accessToken']>,
): Code {
  const { contract, questions, inputs, operations } = draft;
  const plan = callsOf(contract).find(({ operation }) => operation.id === issuing);
  if (plan === undefined) {
    throw new TypeError(
      `The operation ${JSON.stringify(issuing)}, which issues tokens, cannot be called.`,
    );
  }
  operations.set(issuing, plan);
  const { input, needed } = describeTokenInput(draft, plan);
  if (input !== undefined && !inputs.has(issuing)) inputs.set(issuing, input);
  const isHeader = scheme.type === 'apiKey' && scheme.in === 'header';
  const header = isHeader ? scheme.parameterName : undefined;
  const carrier = object({
    operation: code`${identifier(plan.name)}.operation`,
    token: answerPlace(token),
    lifetime: lifetime === undefined ? undefined : answerPlace(lifetime),
    header: header === undefined ? undefined : literal(header),
    value: questions.answerOf(value),
  });
  const ready = needed.length === 0 ? code`true` : code`${imported('areGiven')}(${needed})`;
  return code`${imported('accessToken')}(${carrier}, ${ready})`;
}

/** The input that a client passes to the operation that issues its tokens. */
interface TokenInputCode {
  /** An object literal; `undefined` where the operation takes no input. */
  readonly input: Code | undefined;
  /** The credentials that the operation requires. */
  readonly needed: readonly Code[];
}

/** Describes the input of an operation that issues tokens. A constant of the contract is written as a literal. */
function describeTokenInput(draft: Draft, { operation, name }: Call): TokenInputCode {
  const { contract } = draft;
  const { values, body } = tokenInputOf(contract, operation);
  const needed: Code[] = [];
  const give = (value: TokenValue): Code => {
    const { constant } = new SchemaNode(value.schema);
    if (constant !== undefined) return literal(constant);
    const credential = contract.credentials.find(
      ({ sentBy }) => sentBy?.operation === name && sentBy.name === value.name,
    );
    const type =
      value.in === 'body'
        ? code`${identifier(namespace)}.${identifier(body?.typeName ?? '')}[${literal(value.name)}]`
        : new Code('string');
    const given = read(draft, credential?.name ?? '', type);
    if (value.required) needed.push(given);
    return given;
  };
  const given = values.map((value) => [value, give(value)] as const);
  const groups = Array.from(
    Map.groupBy(given, ([value]) => (value.in === 'body' ? 'body' : groupOf[value.in])),
    ([group, members]) =>
      [group, object(members.map(([value, text]) => [value.name, text]))] as const,
  );
  return { input: objectUnlessEmpty(groups), needed };
}

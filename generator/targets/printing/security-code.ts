import type { Contract, SecurityScheme, Signature } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { pointerMembers, toPointer } from '../../json/pointer.ts';
import { toMemberName } from '../../contract/names.ts';
import { isKeyPair, namesKeys } from '../../contract/signature-scheme.ts';
import { Code, code, imported } from '../code.ts';
import { identifier, literal, object } from '../escape.ts';
import type { OpenQuestions } from '../open-questions.ts';
import { signatureSchemeCode } from '../signature-scheme.ts';
import { Credentials, type Credential } from './credentials.ts';
import { type Call, callsOf } from '../../contract/calls.ts';
import { describeTokenInput } from './token-input.ts';
import { requiredSchemes, usedSchemes } from '../../contract/used-schemes.ts';

/** The parts of the connection module that concern security. */
export interface SecurityCode {
  readonly credentials: readonly Credential[];
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
  readonly credentials: Credentials;
  readonly inputs: Map<string, Code>;
  readonly operations: Map<string, Call>;
}

/** Describes the credentials and authorizers for the contract's security schemes that operations use. */
export function describeSecurity(contract: Contract, questions: OpenQuestions): SecurityCode {
  const used = usedSchemes(contract);
  const demanded = requiredSchemes(contract);
  const draft: Draft = {
    contract,
    questions,
    credentials: new Credentials(),
    inputs: new Map(),
    operations: new Map(),
  };
  const schemes = contract.security
    .filter(({ id }) => used.has(id))
    .map((scheme) => [scheme.id, authorizer(draft, scheme, demanded.has(scheme.id))] as const);
  return { ...draft, schemes, credentials: draft.credentials.list };
}

function authorizer(draft: Draft, scheme: SecurityScheme, required: boolean): Code {
  const { accessToken, signature, bodySignature } = scheme;
  // Calls have no signatures in the body: no header or parameter carries the scheme.
  if (bodySignature !== undefined) return code`${imported('outside')}()`;
  if (signature !== undefined) return signer(draft, scheme, signature, required);
  if (accessToken !== undefined) return tokenCarrier(draft, scheme, accessToken, required);
  const { id: owner, description, source, notes, deprecated = false } = scheme;
  const questions = entriesAt(draft.contract, scheme.pointer);
  const about = { owner, description, source, notes, deprecated, questions, required };
  const readCredential = (type: Code): Code =>
    draft.credentials.read(scheme.name, { ...about, type });
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

function signer(
  { contract, questions, credentials }: Draft,
  scheme: SecurityScheme,
  signature: Signature,
  required: boolean,
): Code {
  const { id, source, notes, deprecated = false } = scheme;
  const isPair = isKeyPair(contract, signature);
  const keyForm =
    signature.key.encoding === undefined ? '' : ', or text in the encoding of the contract';
  const {
    credential,
    description = isPair
      ? `The private key of the signature \`${id}\`: PEM or a JWK${keyForm}.${namesKeys(signature) ? ' With its id: `{ id, key }`, or the `kid` of the JWK.' : ''}`
      : `The key of the signature \`${id}\`: text in the encoding of the contract, or the bytes of the key.`,
  } = signature.key;
  const key = credentials.read(toMemberName(credential), {
    owner: `key ${credential}`,
    type: isPair ? imported('PrivateKey') : new Code('string | Uint8Array'),
    description,
    source,
    notes,
    deprecated,
    questions: entriesAt(contract, toPointer(scheme.pointer, 'x-signature', 'key')),
    required,
  });
  const { timestamp } = signature;
  // The client verifies no signature, so the tolerance has no effect. The scheme requires one.
  const tolerance = typeof timestamp?.tolerance === 'number' ? timestamp.tolerance : 300;
  const signed = timestamp ? { ...signature, timestamp: { ...timestamp, tolerance } } : signature;
  const text = signatureSchemeCode(scheme, signed, (value) => questions.answerOf(value));
  const create = imported(isPair ? 'createKeyPairSigner' : 'createSigner');
  return code`${imported('signature')}(${create}, ${text}, ${key})`;
}

function tokenCarrier(
  { contract, questions, credentials, inputs, operations }: Draft,
  scheme: SecurityScheme,
  { operation: issuing, token, lifetime, value }: NonNullable<SecurityScheme['accessToken']>,
  required: boolean,
): Code {
  const plan = callsOf(contract).find(({ operation }) => operation.id === issuing);
  if (plan === undefined) {
    throw new TypeError(
      `The operation ${JSON.stringify(issuing)}, which issues tokens, cannot be called.`,
    );
  }
  operations.set(issuing, plan);
  const { input, needed } = describeTokenInput(contract, plan, credentials, required);
  if (input !== undefined && !inputs.has(issuing)) inputs.set(issuing, input);
  const isHeader = scheme.type === 'apiKey' && scheme.in === 'header';
  const header = isHeader ? scheme.parameterName : undefined;
  const carrier = object({
    operation: identifier(plan.constant),
    token: answerPlace(token),
    lifetime: lifetime === undefined ? undefined : answerPlace(lifetime),
    header: header === undefined ? undefined : literal(header),
    value: questions.answerOf(value),
  });
  const ready = needed.length === 0 ? code`true` : code`${imported('areGiven')}(${needed})`;
  return code`${imported('accessToken')}(${carrier}, ${ready})`;
}

function answerPlace(expression: string): Code {
  const header = /^\$response\.header\.(.+)$/u.exec(expression)?.[1];
  if (header !== undefined) return code`{ header: ${literal(header)} }`;
  const [, pointer = ''] = /^\$response\.body#(.*)$/u.exec(expression) ?? [];
  return code`{ body: ${literal(pointerMembers(pointer))} }`;
}

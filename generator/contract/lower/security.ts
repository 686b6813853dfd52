import type { AccessToken, BodySignature, SecurityScheme, Signature } from '../contract.ts';
import type {
  EcdsaFormat,
  KeyEncoding,
  SaltLength,
  SignatureAlgorithm,
  SignatureEncoding,
  SignedPart,
  TimestampFormat,
  TokenTemplate,
  Tolerance,
} from '../vocabulary/types.ts';
import type { Cursor } from '../../json/cursor.ts';
import { quote } from '../../diagnostics/quote.ts';
import { diagnose } from '../../documents/diagnose.ts';
import { isJsonObject, type Json, optional } from '../../json/json.ts';
import { jsonDifference } from '../../json/same-json.ts';
import { Ledger } from './ledger.ts';
import { toMemberName } from '../names.ts';
import { toBodyScheme } from '../signature-scheme.ts';
import type { LoweringContext } from './lowering-context.ts';
import { takeNames } from './take-names.ts';

/**
 * Returns the security schemes of both documents. A name that both declare has to mean the same scheme in both:
 * otherwise, one of them would authenticate what the other describes.
 */
export function lowerSecurity(
  roots: readonly Cursor[],
  context: LoweringContext,
): readonly SecurityScheme[] {
  const places = new Map<string, Cursor>();
  const repeated: (readonly [id: string, at: Cursor])[] = [];
  for (const root of roots) {
    for (const [id, reference] of root.entries('components', 'securitySchemes')) {
      const at = reference.follow();
      if (places.has(id)) repeated.push([id, at]);
      else places.set(id, at);
    }
  }
  const names = takeNames(
    Array.from(places, ([id, { pointer }]) => ({ id, pointer })),
    toMemberName,
    { kind: 'security schemes', becomes: 'credential' },
    context,
  );
  const schemes = new Map(
    Array.from(places).map(([id, at], index) => [
      id,
      lowerScheme(id, names[index] ?? '', at, context.ledger),
    ]),
  );
  for (const [id, at] of repeated) {
    const earlier = schemes.get(id);
    if (earlier !== undefined) diagnoseMismatch(earlier, at, context);
  }
  return [...schemes.values()];
}

function diagnoseMismatch(
  earlier: SecurityScheme,
  at: Cursor,
  { documents, diagnostics }: LoweringContext,
): void {
  // The questions of the other scheme are not part of the contract, so that their uses are not recorded.
  const scheme = lowerScheme(earlier.id, earlier.name, at, new Ledger(documents));
  const difference = jsonDifference(meaningOf(earlier), meaningOf(scheme));
  if (difference === undefined) return;
  const { file, line } = documents.locate(earlier.pointer);
  const message = `The security scheme ${quote(scheme.id)} differs from that of the OpenAPI document in ${quote(difference.join('/'))} (${file}:${line}).`;
  const { pointer } = at;
  diagnostics.push(diagnose(documents, 'security-scheme-mismatch', { pointer, message }));
}

/** Returns what decides how a scheme authenticates, under the names that documents use. */
function meaningOf({ type, in: place, parameterName, ...scheme }: SecurityScheme): object {
  const { signature, accessToken, httpScheme } = scheme;
  return {
    type,
    ...optional('in', place),
    // Only the names of headers are not case-sensitive (RFC 9110, section 5.1).
    ...optional('name', place === 'header' ? parameterName?.toLowerCase() : parameterName),
    ...optional('scheme', httpScheme),
    ...optional(
      'x-signature',
      signature && {
        ...signature,
        header: undefined,
        key: { ...signature.key, description: undefined },
      },
    ),
    ...optional('x-body-signature', scheme.bodySignature),
    ...optional('x-access-token', accessToken),
  };
}

function lowerScheme(id: string, name: string, at: Cursor, ledger: Ledger): SecurityScheme {
  const declaredType = at.text('type') ?? '';
  // AsyncAPI calls `httpApiKey` what OpenAPI calls `apiKey`, and `X509` what OpenAPI calls `mutualTLS`.
  const type =
    declaredType === 'httpApiKey' ? 'apiKey' : declaredType === 'X509' ? 'mutualTLS' : declaredType;
  const isInPath = type === 'apiKey' && at.isTrue('x-in-path');
  const bodySignature = lowerBodySignature(at.child('x-body-signature'));
  const place = isInPath ? 'path' : at.text('in');
  const carrier =
    type === 'apiKey' && isCarrier(place) && bodySignature === undefined ? place : undefined;
  const parameterName = carrier && at.text('name');
  const accessToken = lowerAccessToken(at.child('x-access-token'), ledger);
  const isKnownType = isSchemeType(type) && !(type === 'apiKey' && !isInPath && !isCarrier(place));
  return {
    kind: 'security-scheme',
    pointer: at.pointer,
    ...at.annotations(),
    id,
    name,
    type: isKnownType ? type : 'other',
    ...optional('description', at.text('description')),
    ...(at.isTrue('deprecated') ? { deprecated: true } : {}),
    ...(isInPath
      ? { in: 'path' as const }
      : { ...optional('in', carrier), ...optional('parameterName', parameterName) }),
    ...optional('httpScheme', type === 'http' ? at.text('scheme')?.toLowerCase() : undefined),
    ...optional('signature', lowerSignature(at.child('x-signature'), parameterName ?? id, ledger)),
    ...optional('bodySignature', bodySignature),
    ...optional('bodyScheme', bodySignature && toBodyScheme(bodySignature)),
    ...optional('accessToken', accessToken),
    ...(type === 'oauth2' && accessToken === undefined
      ? optional(
          'clientCredentials',
          lowerClientCredentials(at.child('flows', 'clientCredentials')),
        )
      : {}),
  };
}

/** Reads the client credentials flow; `undefined` where there is none with the address of a token endpoint. */
function lowerClientCredentials(at: Cursor): SecurityScheme['clientCredentials'] {
  const tokenUrl = at.text('tokenUrl') ?? '';
  const isOther = /^(?!https?:\/\/)[a-z][\w+.-]*:|^\/\/|#/iu.test(tokenUrl);
  return tokenUrl === '' || isOther ? undefined : { pointer: at.pointer, tokenUrl };
}

/**
 * Reads `x-signature`. Returns `undefined` where the scheme has none, or where a required member is missing, which a
 * diagnostic reports elsewhere.
 */
function lowerSignature(at: Cursor, header: string, ledger: Ledger): Signature | undefined {
  const algorithm = ledger.settle<SignatureAlgorithm>(at.child('algorithm'));
  const keyEncoding = ledger.settle<KeyEncoding>(at.child('key', 'encoding'));
  const encoding = ledger.settle<SignatureEncoding>(at.child('encoding'));
  const credential = at.text('key', 'credential');
  if (!algorithm || !encoding || credential === undefined) return undefined;
  return {
    algorithm,
    ...optional('format', ledger.settle<EcdsaFormat>(at.child('format'))),
    ...optional('saltLength', ledger.settle<SaltLength>(at.child('saltLength'))),
    key: {
      credential,
      ...optional('description', at.text('key', 'description')),
      ...optional('encoding', keyEncoding),
      ...optional('prefix', at.text('key', 'prefix')),
      ...optional('privatePrefix', at.text('key', 'privatePrefix')),
      ...optional('idHeader', at.text('key', 'idHeader')),
      ...optional('jwks', at.text('key', 'jwks')),
    },
    over: at.items('over').flatMap((item) => ledger.settle<SignedPart>(item) ?? []),
    encoding,
    header,
    value: at.text('value') ?? '{signature}',
    ...optional('separator', at.text('separator')),
    ...optional('timestamp', lowerTimestamp(at.child('timestamp'), ledger)),
  };
}

/** Reads `x-body-signature`; `undefined` where there is none, or one that a diagnostic reports elsewhere. */
function lowerBodySignature({ value }: Cursor): BodySignature | undefined {
  if (!isJsonObject(value)) return undefined;
  const { 'x-source': _, 'x-note': __, ...signature } = value;
  const isComplete = ['algorithm', 'key', 'over', 'separator', 'encoding', 'signature'].every(
    (member) => signature[member] !== undefined,
  );
  return isComplete ? (signature as Json as BodySignature) : undefined;
}

function lowerTimestamp(at: Cursor, ledger: Ledger): Signature['timestamp'] {
  const format = ledger.settle<TimestampFormat>(at.child('format'));
  const tolerance = ledger.settle<Tolerance>(at.child('tolerance'));
  if (format === undefined || tolerance === undefined) return undefined;
  return { ...optional('header', at.text('header')), format, tolerance };
}

function lowerAccessToken(at: Cursor, ledger: Ledger): AccessToken | undefined {
  const operation = at.text('operation');
  const token = at.text('token');
  const value = ledger.settle<TokenTemplate>(at.child('value'));
  if (operation === undefined || token === undefined || value === undefined) return undefined;
  return { operation, token, ...optional('lifetime', at.text('lifetime')), value };
}

function isSchemeType(type: string): type is SecurityScheme['type'] {
  return ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'].includes(type);
}

function isCarrier(place: string | undefined): place is 'header' | 'query' | 'cookie' {
  return place === 'header' || place === 'query' || place === 'cookie';
}

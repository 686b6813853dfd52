import { findConditionRead, findRead, type Read } from '../recognition/reads.ts';
import type { Variant } from '../schema/model.ts';
import { findSchema, indexSchemas } from '../schema/references.ts';
import type { BodySignature, Contract, Notification, SecurityScheme } from './contract.ts';
import { signedPathsByForm } from './signed-members.ts';
import { unstatedId } from './unstated-id.ts';

/**
 * Returns the names of the signatures that do not cover a value of an authentic delivery: of each alternative of its
 * security that has a signature, those of an alternative in which none covers the value. An attacker who captured a
 * delivery can change such a value. A signature covers a value only if it does so with every answer to its open
 * questions.
 */
export function signaturesWithout(
  contract: Contract,
  { security: own, encoding, payload }: Pick<Notification, 'security' | 'encoding' | 'payload'>,
  key: Read,
): readonly string[] {
  const { variants } = findSchema(indexSchemas(contract), payload);
  // A receiver authenticates a delivery before it knows which notification it is, so that what authenticates another one
  // must not authenticate this one with less.
  const ownNames = names(own);
  const others = contract.authentication.inBody.filter((required) =>
    required.some(({ scheme }) => isInBody(contract, scheme) && !ownNames.has(scheme)),
  );
  const security = [...own, ...others];
  // The members of data in the query are its parameters.
  const isMember = typeof key === 'object' && 'body' in key;
  const read: Read = encoding === 'query' && isMember ? { query: key.body[0] ?? '' } : key;
  const schemes = new Map(contract.security.map((scheme) => [scheme.id, scheme]));
  const uncovered = security.flatMap((requirement) => {
    const signed = requirement
      .flatMap(({ scheme }) => schemes.get(scheme) ?? [])
      .filter(({ signature, bodySignature }) => (signature ?? bodySignature) !== undefined);
    return signed.some((scheme) => coversRead(contract, scheme, variants, read))
      ? []
      : signed.map(({ id }) => id);
  });
  return [...new Set(uncovered)];
}

/** Returns whether a part of the request that no signature covers decides whether a delivery is a notification. */
export function isKindUnsigned(contract: Contract, notification: Notification): boolean {
  return readsOf(notification).some(
    (read) => signaturesWithout(contract, notification, read).length > 0,
  );
}

/** Returns the values that decide whether a delivery is a notification. */
function readsOf({ identifiedBy, ambiguousWith, label }: Notification): readonly Read[] {
  const conditions = identifiedBy.flat().flatMap(({ expression }) => {
    const read = findConditionRead(expression);
    return read === undefined ? [] : [read];
  });
  // Only the label distinguishes a notification from those that it is ambiguous with.
  return label !== undefined && ambiguousWith.length > 0 ? [...conditions, 'path'] : conditions;
}

function names(security: Notification['security']): ReadonlySet<string> {
  return new Set(security.flat().map(({ scheme }) => scheme));
}

function isInBody({ security }: Contract, id: string): boolean {
  return security.some((scheme) => scheme.id === id && scheme.bodySignature !== undefined);
}

function coversRead(
  { unstated }: Contract,
  { signature, bodySignature }: SecurityScheme,
  variants: readonly Variant[],
  read: Read,
): boolean {
  if (bodySignature !== undefined && coversMember(bodySignature, variants, read)) return true;
  if (signature === undefined) return false;
  const covers = (part: unknown): boolean =>
    typeof part === 'string' && coversPart(part, signature.timestamp?.header, read);
  return signature.over.some((part) => {
    const id = unstatedId(part);
    if (id === undefined) return covers(part);
    const choices = unstated.find((entry) => entry.id === id)?.choices ?? [];
    return choices.length > 0 && choices.every(({ value }) => covers(value));
  });
}

/** Returns whether a signature in the body covers a member of the canonical format, in whatever form it is sent. */
function coversMember(signature: BodySignature, variants: readonly Variant[], read: Read): boolean {
  if (typeof read !== 'object' || !('body' in read)) return false;
  const member = JSON.stringify(read.body);
  const forms = signedPathsByForm(signature, variants);
  return (
    forms.length > 0 &&
    forms.every((paths) => paths.some((path) => JSON.stringify(path) === member))
  );
}

/** The signed parts that contain the path, and those that contain the query. */
const withPath: ReadonlySet<string> = new Set([
  '$url',
  '$url.path',
  '$url.path-base',
  '$url.path+query',
  '$url.host+path',
]);
const withQuery: ReadonlySet<string> = new Set(['$url', '$url.path+query']);

function coversPart(part: string, timestampHeader: string | undefined, read: Read): boolean {
  if (read === 'method') return part === '$method';
  if (read === 'path' || (typeof read === 'object' && 'parameter' in read))
    return withPath.has(part);
  if (read === 'raw' || 'body' in read) return part === '$request.body';
  if ('query' in read) return withQuery.has(part);
  const signed =
    part === '$timestamp' && timestampHeader !== undefined
      ? { header: timestampHeader.toLowerCase() }
      : findRead(part);
  return typeof signed === 'object' && 'header' in signed && signed.header === read.header;
}

import { requirementsKey } from '../contract/authentication.ts';
import type { BodySignature, Contract, Notification, SignedMember } from '../contract/contract.ts';
import { coveredPaths, signedPathsByForm } from '../contract/signed-members.ts';
import { signaturesWithout } from '../contract/signature-cover.ts';
import { dataFormats } from '../recognition/data-format.ts';
import { findConditionRead } from '../recognition/reads.ts';
import { quote } from '../diagnostics/quote.ts';
import { escapeMember, pointerMembers, toPointer } from '../json/pointer.ts';
import { alternativesAt, permitsText } from '../schema/member-alternatives.ts';
import type { Schema, Variant } from '../schema/model.ts';
import { findSchema, indexSchemas, type SchemaIndex } from '../schema/references.ts';
import type { ContractRule, Finding } from './rule.ts';
import { type AlwaysContains, loadAlwaysContains, separatedValue } from './separated-values.ts';

/**
 * Checks that what a handler gets is what a signature in the body covers: each signed member is declared, once and with
 * one type, and no wire format moves a value to or from a signed member.
 */
export const bodySignatures: ContractRule = {
  codes: ['unusable-signature'],
  async check({ contract }) {
    if (contract.security.every(({ bodySignature }) => bodySignature === undefined)) return [];
    return check(contract, await loadAlwaysContains());
  },
};

function* check(contract: Contract, alwaysContains: AlwaysContains): Iterable<Finding> {
  const index = indexSchemas(contract);
  yield* ofDifferences(contract);
  for (const { id, pointer, bodySignature } of contract.security) {
    if (bodySignature === undefined) continue;
    const place = toPointer(pointer, 'x-body-signature');
    yield* withStart(id, ofScheme(bodySignature, place));
    for (const notification of contract.notifications)
      if (isSignedBy(notification, id)) {
        yield* withStart(id, ofNotification(contract, notification, bodySignature, place, index));
        yield* withStart(
          id,
          ofSeparator(notification, bodySignature, place, { index, alwaysContains }),
        );
      }
  }
}

/**
 * Finds requirements that differ. A receiver authenticates a delivery before it knows which notification it is, and where
 * its values are.
 */
function* ofDifferences(contract: Contract): Iterable<Finding> {
  const secured = contract.notifications.filter(
    ({ security }) => security.length > 0 && security.every((required) => required.length > 0),
  );
  const [signed] = secured.flatMap(({ signedBody }) => signedBody ?? []);
  if (signed === undefined) return;
  for (const { id, pointer, bodySignature } of contract.security)
    if (
      bodySignature !== undefined &&
      secured.some((sent) => isSignedBy(sent, id)) &&
      bodySignature.each !== signed.each
    )
      yield {
        pointer: toPointer(pointer, 'x-body-signature'),
        message: `The signature ${quote(id)} covers other values than another signature of the contract, so a receiver cannot tell which values are signed.`,
        help: 'Give both the same `each`, or generate a receiver for the notifications of each signature (`exclude` in the configuration).',
      };
  const [first, ...others] = secured;
  for (const { id, pointer, security } of others)
    if (first !== undefined && requirementsKey(security) !== requirementsKey(first.security))
      yield {
        pointer,
        message: `${quote(id)} and ${quote(first.id)} require different schemes, and one of them has a signature in the body: an attacker could send a delivery of one as the other, whose members are not signed.`,
        help: 'Give all notifications the same `security`, or generate a receiver for those with the signature (`exclude` in the configuration).',
      };
  yield* ofTypes(contract);
}

/** Returns whether the security of a notification names the signature in the body. */
function isSignedBy({ signedBody }: Notification, id: string): boolean {
  return signedBody?.schemes.includes(id) === true;
}

/** Returns what is known of a signed member. */
function signedMember(
  { signedBody }: Notification,
  path: readonly string[] | undefined,
): SignedMember | undefined {
  return path && signedBody?.members.find((member) => isSame(member.path, path));
}

/** Finds signed members whose type depends on the kind, where nothing that is signed decides the kind. */
function* ofTypes(contract: Contract): Iterable<Finding> {
  const index = indexSchemas(contract);
  for (const { id, pointer, bodySignature } of contract.security) {
    if (bodySignature === undefined) continue;
    const signed = contract.notifications.filter(
      (sent) => isSignedBy(sent, id) && !isKindSigned(contract, sent),
    );
    const count = coveredPaths(bodySignature).length;
    for (let position = 0; position < count; position += 1) {
      const types = new Set(
        signed.flatMap((sent) => {
          const { variants } = findSchema(index, sent.payload);
          const path = signedPathsByForm(bodySignature, variants)[0]?.[position];
          const { types = [] } = signedMember(sent, path) ?? {};
          // Another finding is about a member with several types.
          return types.length === 1 ? types : [];
        }),
      );
      if (types.size > 1)
        yield {
          pointer: toPointer(pointer, 'x-body-signature', 'over', String(position)),
          message: `The signature ${quote(id)} cannot be used: a signed member has the types ${[...types].join(' and ')} in different notifications, \`5\` is signed like \`"5"\`, and no signed member decides which notification it is.`,
          help: 'Distinguish the notifications by a signed member (`x-identified-by`), or declare the member with the same type in all of them.',
        };
    }
  }
}

/** Returns whether each condition by which a notification is recognized reads something that its signature covers. */
function isKindSigned(contract: Contract, notification: Notification): boolean {
  const { identifiedBy } = notification;
  const isSigned = (expression: string): boolean => {
    const read = findConditionRead(expression);
    return read !== undefined && signaturesWithout(contract, notification, read).length === 0;
  };
  return (
    identifiedBy.length > 0 &&
    identifiedBy.every((conditions) => conditions.some(({ expression }) => isSigned(expression)))
  );
}

function* withStart(id: string, findings: Iterable<Finding>): Iterable<Finding> {
  for (const finding of findings)
    yield { ...finding, message: `The signature ${quote(id)} cannot be used: ${finding.message}` };
}

/** Finds what contradicts itself in a signature, whatever it signs. */
function* ofScheme(signature: BodySignature, place: Finding['pointer']): Iterable<Finding> {
  const written = pointerMembers(signature.signature);
  const paths = coveredPaths(signature);
  for (const [index, path] of paths.entries()) {
    const pointer = toPointer(place, 'over', String(index));
    const name = quote(textOf(path));
    if (path.length === 0)
      yield {
        pointer,
        message: 'a part of `over` is the whole value, which contains the signature.',
      };
    else if (path.every((member, at) => member === written[at]))
      yield { pointer, message: `${name} is, or contains, the signature itself.` };
    else if (paths.findIndex((other) => isSame(other, path)) < index)
      yield { pointer, message: `${name} is signed twice.` };
  }
}

/** Returns the JSON Pointer of members, as it is written in a signature. */
function textOf(path: readonly string[]): string {
  return path.map((member) => `/${escapeMember(member)}`).join('');
}

function isSame(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((name, index) => name === second[index]);
}

/** Where data is that is not JSON. */
const otherPlaces: ReadonlyMap<string, string> = new Map([
  ['form', 'in a form'],
  ['query', 'in the query'],
  ['xml', 'in XML'],
]);

/** Finds what a signature does not promise of a notification. */
function* ofNotification(
  contract: Contract,
  notification: Notification,
  signature: BodySignature,
  place: Finding['pointer'],
  index: SchemaIndex,
): Iterable<Finding> {
  const { id } = notification;
  const payload = findSchema(index, notification.payload);
  const [format = 'json'] = dataFormats(notification);
  const data = otherPlaces.get(format);
  if (data !== undefined) {
    yield {
      pointer: notification.pointer,
      message: `it covers members of JSON, and the data of ${quote(id)} is ${data}.`,
    };
    return;
  }
  yield* ofVariants(notification, payload, signature, place);
  const [[written] = []] = signedPathsByForm(
    { ...signature, over: [signature.signature] },
    payload.variants,
  );
  if (written !== undefined && !permitsText(payload.definition, written, index))
    yield {
      pointer: toPointer(place, 'signature'),
      message: `${quote(textOf(written))} of ${quote(id)} cannot be a text, so no delivery has a signature there.`,
      help: 'Correct the pointer, or declare the member as a text.',
    };
  const [paths] = signedPathsByForm(signature, payload.variants);
  for (const [position, path] of (paths ?? []).entries()) {
    // What is wrong with an empty path is said of the scheme.
    const message =
      path.length === 0
        ? undefined
        : ambiguityOf(signedMember(notification, path), signature, position);
    if (message === undefined) continue;
    yield {
      pointer: toPointer(place, 'over', String(position)),
      message: `${quote(textOf(path))} of ${quote(id)} ${message}`,
      help: 'Declare the member with one type, and either as required or as optional. If `null` and an empty text mean the same, declare only one of them.',
    };
  }
}

/**
 * Finds members of which a value contains the separator although the signature does not state it. A receiver refuses
 * each delivery with such a value, because other values could have the same signature.
 */
function* ofSeparator(
  { id, payload }: Notification,
  signature: BodySignature,
  place: Finding['pointer'],
  {
    index,
    alwaysContains,
  }: { readonly index: SchemaIndex; readonly alwaysContains: AlwaysContains },
): Iterable<Finding> {
  const { over, separator } = signature;
  const { definition, variants } = findSchema(index, payload);
  const [paths = []] = signedPathsByForm(signature, variants);
  const other = over.find((part) => typeof part !== 'string');
  for (const [position, path] of paths.entries()) {
    const part = over[position];
    if (path.length === 0 || typeof part !== 'string') continue;
    const [reason] = alternativesAt(definition, path, index).flatMap(
      ({ nodes }) => separatedValue(nodes, separator, alwaysContains) ?? [],
    );
    if (reason !== undefined)
      yield {
        pointer: toPointer(place, 'over', String(position)),
        message: `${quote(textOf(path))} of ${quote(id)} ${reason}, which contains the separator ${quote(separator)}: receivers refuse each delivery with it.`,
        help:
          other === undefined
            ? `If no other signed member can contain the separator, declare it here: \`{ member: ${part}, mayContainSeparator: true }\`.`
            : `Only one signed member can contain the separator, and it is ${quote(other.member)} already. Ask the service what it signs: with two such members, different deliveries have the same signature.`,
      };
  }
}

/** Returns why several values of a member have the same signed text, in which case a receiver cannot tell which was sent. */
function ambiguityOf(
  member: SignedMember | undefined,
  { over, separator }: BodySignature,
  position: number,
): string | undefined {
  if (member === undefined) return undefined;
  const { types, isNullable, required, canBeEmpty } = member;
  const [type, ...others] = types;
  if (type === undefined)
    return 'is not declared with a type: a member that does not exist is signed as an empty text, and `5` like `"5"`.';
  if (others.length > 0)
    return `can be of several types (${types.join(', ')}), and \`5\` is signed like \`"5"\`.`;
  if (!['string', 'number', 'boolean'].includes(type))
    return `is of the type ${type}, and only texts, numbers and booleans are signed.`;
  const isWithoutSeparator = typeof over[position] === 'string';
  if (type === 'number' && isWithoutSeparator && /^[-+.\deE]+$/u.test(separator))
    return `is a number, which can contain the separator ${quote(separator)}.`;
  if (required === 'maybe' && (isNullable || canBeEmpty))
    return 'is required by some alternatives only, and a missing member is signed like an empty text.';
  if (required && isNullable && canBeEmpty)
    return 'can be `null` and an empty text, which are signed alike.';
  return undefined;
}

/** Finds wire formats in which other values than the signed ones become the value that a handler gets. */
function* ofVariants(
  { id }: Notification,
  { variants }: Schema,
  signature: BodySignature,
  place: Finding['pointer'],
): Iterable<Finding> {
  const { each } = signature;
  const help =
    'Give the wire format and the signature the same `each`, and do not rename a signed member. Otherwise, describe the format as a notification of its own.';
  if (each !== undefined && variants.every((variant) => variant.each !== each))
    yield {
      pointer: toPointer(place, 'each'),
      message: `${quote(each)} is not the \`each\` of a wire format (\`x-variants\`) of ${quote(id)}, so a handler gets no signed value.`,
      help,
    };
  const signed = new Set(coveredPaths(signature).map(([name]) => name));
  for (const variant of variants) {
    const message = dangerOf(variant, each, signed);
    if (message !== undefined)
      yield {
        pointer: variant.pointer,
        message: `in the wire format ${quote(variant.name)} of ${quote(id)}, ${message}`,
        help,
      };
  }
}

function dangerOf(
  variant: Variant,
  each: string | undefined,
  signed: ReadonlySet<string | undefined>,
): string | undefined {
  // Values that are elsewhere than where the signature is verified are refused.
  if (each !== undefined && variant.each !== each) return undefined;
  if (each === undefined && variant.each !== undefined)
    return 'each element becomes a value, and only the body as a whole is signed.';
  const renamed = Object.entries(variant.rename)
    .flat()
    .find((name) => signed.has(name));
  if (renamed !== undefined)
    return `\`rename\` gives another member the place of ${quote(renamed)}.`;
  if (each === undefined && (variant.as ?? '') !== '')
    return '`as` moves the signed members to a place where a receiver cannot tell them from others.';
  return undefined;
}

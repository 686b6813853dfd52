import { unstatedId } from 'countersign/companion/contract';
import { toCanonical } from 'countersign/companion/values';
import type { BodySignature, SecurityScheme, Signature } from 'countersign/kit';
import {
  changesAt,
  type ContractChange,
  type ContractPair,
  type CreateChange,
  inBoth,
  type Role,
} from './change.ts';
import { diffItems, diffValues, type ItemPair, pairBy, type ValueChange } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';

/**
 * Yields the changes of security schemes, including their credentials, signatures and access tokens. A scheme with
 * another id but the same description is the same on the wire: only the option for its credential is named differently.
 */
export function* diffSecuritySchemes(contracts: ContractPair): Generator<ContractChange> {
  const { base: before, head: after } = contracts;
  const renamed = renamedSchemes(before.security, after.security);
  const isRenamed = new Set(renamed.flat());
  const left = (list: readonly SecurityScheme[]): readonly SecurityScheme[] =>
    list.filter((scheme) => !isRenamed.has(scheme));
  const pairs = yield* diffItems(left(before.security), left(after.security), {
    keyOf: ({ id }) => id,
    subjectOf,
    rolesOf: (scheme) => rolesOf(scheme, contracts),
    codes: ['security-scheme-added', 'security-scheme-removed'],
  });
  for (const [base, head] of [...pairs, ...renamed]) {
    const create = changesAt(inBoth(base, head), subjectOf(head), rolesOf(head, contracts));
    yield* diffNotes(base, head, create);
    const changes = [...schemeChanges(base, head), ...tokenChanges(base, head)];
    yield* diffValues(create, changes.filter(isNoSettlement(contracts)));
    yield* diffSignatures(base, head, contracts, create);
  }
}

/** Returns the schemes whose id alone differs. */
export function renamedSchemes(
  base: readonly SecurityScheme[],
  head: readonly SecurityScheme[],
): readonly ItemPair<SecurityScheme>[] {
  const { added, removed } = pairBy(base, head, ({ id }) => id);
  return pairBy(removed, added, (scheme) =>
    toCanonical({ ...scheme, pointer: '', id: '', name: '', credential: '' }),
  ).pairs;
}

function schemeChanges(base: SecurityScheme, head: SecurityScheme): readonly ValueChange[] {
  const [was, is] = [base.clientCredentials?.tokenUrl, head.clientCredentials?.tokenUrl];
  return [
    // A flow that is added changes nothing for those who obtain the token elsewhere.
    ...(was === undefined
      ? []
      : [['security-scheme-changed', '`tokenUrl`', was, is] as const satisfies ValueChange]),
    ...(['type', 'in', 'parameterName', 'httpScheme'] as const).map(
      (member) => ['security-scheme-changed', `\`${member}\``, base[member], head[member]] as const,
    ),
    ['credential-renamed', '`name`', base.name, head.name],
  ];
}

function tokenChanges(
  { accessToken: base }: SecurityScheme,
  { accessToken: head }: SecurityScheme,
): readonly ValueChange[] {
  return (['operation', 'token', 'lifetime', 'value'] as const).map(
    (member) => ['access-token-changed', `\`${member}\``, base?.[member], head?.[member]] as const,
  );
}

interface Signatures {
  readonly signature?: Signature | undefined;
  readonly bodySignature?: BodySignature | undefined;
}

/** Compares the signatures of requests, and those in bodies. */
function* diffSignatures(
  base: Signatures,
  head: Signatures,
  contracts: ContractPair,
  create: CreateChange,
): Generator<ContractChange> {
  const pairs = [
    [base.signature && membersOf(base.signature), head.signature && membersOf(head.signature)],
    [
      base.bodySignature && membersOfBody(base.bodySignature),
      head.bodySignature && membersOfBody(head.bodySignature),
    ],
  ] as const;
  for (const [was, is] of pairs) {
    if (was === undefined || is === undefined) {
      if (is !== undefined) yield create('signature-added', 'A signature was added.');
      if (was !== undefined) yield create('signature-removed', 'The signature was removed.');
      continue;
    }
    const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])].map(
      (name): ValueChange => [codeOf(name, was, is), `\`${name}\``, was[name], is[name]],
    );
    yield* diffValues(create, changes.filter(isNoSettlement(contracts)));
  }
}

/** Members of a signature by their places in it. */
type Members = Readonly<Record<string, unknown>>;

function codeOf(name: string, was: Members, is: Members): ValueChange[0] {
  if (name === 'key.credential') return 'credential-renamed';
  if (name !== 'timestamp.tolerance') return 'signature-changed';
  const [before, after] = [was[name], is[name]];
  const isWider = typeof before === 'number' && typeof after === 'number' && after > before;
  return isWider ? 'tolerance-loosened' : 'tolerance-tightened';
}

function membersOf({ key, over, timestamp, ...others }: Signature): Members {
  const { description: _, ...named } = key;
  const { algorithm, format, saltLength, ...written } = others;
  return {
    ...within('key', named),
    algorithm,
    format,
    saltLength,
    ...partsOf(over),
    ...written,
    ...within('timestamp', timestamp),
  };
}

function membersOfBody({ key, over, ...others }: BodySignature): Members {
  return { ...within('key', key), ...others, ...partsOf(over) };
}

function within(name: string, members: object = {}): Members {
  return Object.fromEntries(
    Object.entries(members).map(([member, value]) => [`${name}.${member}`, value]),
  );
}

function partsOf(over: readonly unknown[]): Members {
  return Object.fromEntries(over.map((part, index) => [`over[${index}]`, part]));
}

/**
 * Returns a filter that removes the changes that only answer or reopen a ledger entry, which `diffLedger` reports.
 */
function isNoSettlement({ base, head }: ContractPair): (change: ValueChange) => boolean {
  const has = ({ unstated }: ContractPair['base'], id: string): boolean =>
    unstated.some((entry) => entry.id === id);
  return ([, , was, is]) => {
    const [before, after] = [unstatedId(was), unstatedId(is)];
    const isAnswered = before !== undefined && after === undefined && has(head, before);
    const isReopened = after !== undefined && before === undefined && has(base, after);
    return !isAnswered && !isReopened;
  };
}

/**
 * Returns the roles that use a scheme. If the contract has notifications, a signature scheme counts for receivers even
 * if no notification states it.
 */
export function rolesOf(scheme: SecurityScheme, { base, head }: ContractPair): ReadonlySet<Role> {
  const roles = new Set<Role>();
  for (const contract of [base, head]) {
    const { operations, notifications, defaultSecurity = [] } = contract;
    const names = (list: typeof defaultSecurity): boolean =>
      list.some((requirement) => requirement.some(({ scheme: id }) => id === scheme.id));
    if (names(defaultSecurity) || operations.some(({ security }) => names(security)))
      roles.add('request');
    if (notifications.some(({ security }) => names(security))) roles.add('notification');
    if (scheme.signature !== undefined && notifications.length > 0) roles.add('notification');
  }
  return roles;
}

function subjectOf({ id }: SecurityScheme): string {
  return `security scheme ${id}`;
}

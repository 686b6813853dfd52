import type { SecurityScheme, Signature } from '../../contract/contract.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import {
  changesAt,
  type ContractChange,
  type ContractPair,
  type CreateChange,
  type Role,
} from './change.ts';
import { diffItems, diffValues, type ItemPair, type ValueChange } from './diff-items.ts';
import { diffNotes } from './diff-notes.ts';

/** Yields the changes of security schemes, including their credentials, signatures and access tokens. */
export function* diffSecuritySchemes(contracts: ContractPair): Generator<ContractChange> {
  const pairs = yield* diffItems(contracts.base.security, contracts.head.security, {
    keyOf: ({ id }) => id,
    subjectOf,
    rolesOf: (scheme) => rolesOf(scheme, contracts),
    codes: ['security-scheme-added', 'security-scheme-removed'],
  });
  for (const [base, head] of pairs) {
    const create = changesAt(head.pointer, subjectOf(head), rolesOf(head, contracts));
    yield* diffNotes(base, head, create);
    const changes = [...schemeChanges(base, head), ...tokenChanges(base, head)];
    yield* diffValues(create, changes.filter(isNoSettlement(contracts)));
    yield* diffSignature([base.signature, head.signature], contracts, create);
  }
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

function* diffSignature(
  [base, head]: ItemPair<Signature | undefined>,
  contracts: ContractPair,
  create: CreateChange,
): Generator<ContractChange> {
  if (base === undefined || head === undefined) {
    if (head !== undefined) yield create('signature-added', 'A signature was added.');
    if (base !== undefined) yield create('signature-removed', 'The signature was removed.');
    return;
  }
  const length = Math.max(base.over.length, head.over.length);
  const members: readonly (readonly [what: string, was: unknown, is: unknown])[] = [
    ['algorithm', base.algorithm, head.algorithm],
    ['format', base.format, head.format],
    ['saltLength', base.saltLength, head.saltLength],
    ...(['encoding', 'prefix', 'privatePrefix', 'idHeader', 'jwks'] as const).map(
      (member) => [`key.${member}`, base.key[member], head.key[member]] as const,
    ),
    ...Array.from(
      { length },
      (_, index) => [`over[${index}]`, base.over[index], head.over[index]] as const,
    ),
    ['encoding', base.encoding, head.encoding],
    ['value', base.value, head.value],
    ['separator', base.separator, head.separator],
    ['timestamp.header', base.timestamp?.header, head.timestamp?.header],
    ['timestamp.format', base.timestamp?.format, head.timestamp?.format],
  ];
  const [was, is] = [base.timestamp?.tolerance, head.timestamp?.tolerance];
  const isWider = typeof was === 'number' && typeof is === 'number' && is > was;
  const changes: readonly ValueChange[] = [
    ['credential-renamed', '`key.credential`', base.key.credential, head.key.credential],
    ...members.map(
      ([what, before, after]) => ['signature-changed', `\`${what}\``, before, after] as const,
    ),
    [isWider ? 'tolerance-loosened' : 'tolerance-tightened', '`timestamp.tolerance`', was, is],
  ];
  yield* diffValues(create, changes.filter(isNoSettlement(contracts)));
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

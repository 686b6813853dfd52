import type { SecurityScheme, Signature } from '../../contract/contract.ts';
import type { ContractChange, Role } from './change.ts';
import { type ContractPair, createChange, pairBy } from './changes.ts';
import { diffNotes } from './diff-parameters.ts';
import { isSameJson } from '../../json/same-json.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';
import { written } from './written.ts';

/** Yields the changes of security schemes, including their credentials, signatures and access tokens. */
export function* diffSecuritySchemes(contracts: ContractPair): Generator<ContractChange> {
  const { base, head } = contracts;
  const { pairs, added, removed } = pairBy(base.security, head.security, ({ id }) => id);
  for (const scheme of added) {
    const at = { side: 'head', pointer: scheme.pointer } as const;
    const roles = rolesOf(scheme, contracts);
    yield createChange('security-scheme-added', at, subjectOf(scheme), 'It is new.', roles);
  }
  for (const scheme of removed) {
    const at = { side: 'base', pointer: scheme.pointer } as const;
    const roles = rolesOf(scheme, contracts);
    yield createChange('security-scheme-removed', at, subjectOf(scheme), 'It is gone.', roles);
  }
  for (const [one, other] of pairs) {
    const roles = rolesOf(other, contracts);
    yield* diffNotes(one, other, subjectOf(other), roles);
    yield* diffScheme(one, other, contracts, roles);
  }
}

function* diffScheme(
  base: SecurityScheme,
  head: SecurityScheme,
  contracts: ContractPair,
  roles: ReadonlySet<Role>,
): Generator<ContractChange> {
  const say = (code: ChangeCode, message: string): ContractChange =>
    createChange(code, { side: 'head', pointer: head.pointer }, subjectOf(head), message, roles);
  for (const member of ['type', 'in', 'parameterName', 'httpScheme'] as const) {
    if (base[member] !== head[member])
      yield say('security-scheme-changed', changed(member, base[member], head[member]));
  }
  if (base.name !== head.name)
    yield say('credential-renamed', changed('name', base.name, head.name));
  if (base.signature === undefined && head.signature !== undefined)
    yield say('signature-added', 'It states a signature.');
  if (base.signature !== undefined && head.signature === undefined)
    yield say('signature-removed', 'It states no signature any more.');
  if (base.signature !== undefined && head.signature !== undefined)
    yield* diffSignature(base.signature, head.signature, contracts, say);
  for (const member of ['operation', 'token', 'lifetime', 'value'] as const) {
    const [was, is] = [base.accessToken?.[member], head.accessToken?.[member]];
    if (!isSameJson(was, is) && !isSettlement(was, is, contracts))
      yield say('access-token-changed', changed(member, was, is));
  }
}

function* diffSignature(
  base: Signature,
  head: Signature,
  contracts: ContractPair,
  say: (code: ChangeCode, message: string) => ContractChange,
): Generator<ContractChange> {
  if (base.key.credential !== head.key.credential)
    yield say(
      'credential-renamed',
      changed('credential', base.key.credential, head.key.credential),
    );
  const members: readonly (readonly [name: string, was: unknown, is: unknown])[] = [
    ['algorithm', base.algorithm, head.algorithm],
    ['key encoding', base.key.encoding, head.key.encoding],
    ['key prefix', base.key.prefix, head.key.prefix],
    ...range(base.over.length, head.over.length).map(
      (index) => [`over[${index}]`, base.over[index], head.over[index]] as const,
    ),
    ['encoding', base.encoding, head.encoding],
    ['value', base.value, head.value],
    ['separator', base.separator, head.separator],
    ['timestamp header', base.timestamp?.header, head.timestamp?.header],
    ['timestamp format', base.timestamp?.format, head.timestamp?.format],
  ];
  for (const [name, was, is] of members) {
    if (!isSameJson(was, is) && !isSettlement(was, is, contracts))
      yield say('signature-changed', changed(name, was, is));
  }
  const [was, is] = [base.timestamp?.tolerance, head.timestamp?.tolerance];
  if (isSameJson(was, is) || isSettlement(was, is, contracts)) return;
  const wider = typeof was === 'number' && typeof is === 'number' && is > was;
  yield say(wider ? 'tolerance-loosened' : 'tolerance-tightened', changed('tolerance', was, is));
}

/**
 * Returns whether a member changed only because a ledger entry was answered or reopened, which `diffLedger` reports.
 */
function isSettlement(was: unknown, is: unknown, { base, head }: ContractPair): boolean {
  const [before, after] = [questionIn(was), questionIn(is)];
  if (before !== undefined && after === undefined) return has(head, before);
  return after !== undefined && before === undefined && has(base, after);
}

function has({ unstated }: ContractPair['base'], id: string): boolean {
  return unstated.some((entry) => entry.id === id);
}

function questionIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('unstated' in value)) return undefined;
  return typeof value.unstated === 'string' ? value.unstated : undefined;
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
      list.some((requirement) => requirement.some((one) => one.scheme === scheme.id));
    if (names(defaultSecurity) || operations.some(({ security }) => names(security)))
      roles.add('request');
    if (notifications.some(({ security }) => names(security))) roles.add('notification');
    if (scheme.signature !== undefined && notifications.length > 0) roles.add('notification');
  }
  return roles;
}

function changed(name: string, was: unknown, is: unknown): string {
  const [before, after] = [was, is].map((value) =>
    value === undefined ? 'not set' : written(value),
  );
  return `\`${name}\` was ${before} and is ${after}.`;
}

function range(...lengths: readonly number[]): readonly number[] {
  return [...Array(Math.max(...lengths)).keys()];
}

function subjectOf({ id }: SecurityScheme): string {
  return `security scheme ${id}`;
}

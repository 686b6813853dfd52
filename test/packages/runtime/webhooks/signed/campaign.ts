import type { Contract } from '../../../../../generator/contract/contract.ts';
import {
  expectedMembers,
  generateReceiver,
  settings,
  signedMembersOf,
  startReceiver,
  type Handled,
  type Setting,
} from './attack.ts';
import { lowerFiles } from '../../../../contract/lower/lower-files.ts';
import {
  genuineDeliveries,
  isSafe,
  nameOf,
  names,
  toContract,
  type Combination,
  type Genuine,
} from './contracts.ts';
import { readTree, writeTree } from './json-tree.ts';
import { mutationsOf } from './mutations.ts';

/** What an attack on the receivers of a contract found. */
interface Result {
  /** The genuine deliveries, each of which was sent as it is in every setting. */
  readonly deliveries: number;
  readonly changes: number;
  /** The changes of unsigned parts, which a receiver cannot notice. */
  readonly authentic: number;
  readonly problems: readonly string[];
}

/** How much of a campaign is run. */
export interface Effort {
  /** Of the deliveries of a contract, the number of those that are changed. All are sent as they are. */
  readonly deliveries: number;
  /** One of so many changes is made. */
  readonly oneOf: number;
  /** The number of settings in which each authentic change is sent. */
  readonly settings: number;
  /** Where to begin with all, so that contracts share the work. */
  readonly start: number;
}

/** Attacks the receivers of a contract, in every setting. */
async function attack(
  contract: Contract,
  combination: Combination,
  { deliveries, oneOf, settings: settingCount, start }: Effort,
): Promise<Result> {
  await using generated = await generateReceiver(contract, combination);
  const all = [...genuineDeliveries(combination)];
  const problems: string[] = [];
  let changes = 0;
  let authentic = 0;
  for (const genuine of all)
    for (const setting of settings)
      problems.push(...(await problemsOf(generated, combination, genuine, setting)));
  for (let count = 0; count < Math.min(deliveries, all.length); count += 1) {
    const genuine = all[(start + count) % all.length] as Genuine;
    const bodies = new Map<string, string>();
    for (const { name, tree } of mutationsOf(readTree(genuine.body), names)) {
      const body = writeTree(tree);
      if (body !== genuine.body && !bodies.has(body)) bodies.set(body, name);
    }
    // Whether a delivery is authentic does not depend on earlier ones.
    const tried = startReceiver(generated, {
      numbers: 'text',
      through: 'handlers',
      handsOver: false,
    });
    let turn = start;
    for (const [body, name] of bodies) {
      turn += 1;
      if (turn % oneOf !== 0) continue;
      changes += 1;
      const record = await tried.send(body, genuine.headers);
      if (record?.reason === 'unauthentic') continue;
      authentic += 1;
      if (hasWholeBodySigned(combination)) {
        problems.push(`a changed body is authentic ## ${name} ## ${body} ## ${genuine.body}`);
        continue;
      }
      for (let index = 0; index < settingCount; index += 1) {
        const setting = settings[(authentic + index) % settings.length] as Setting;
        const changed = { ...genuine, body };
        const problem = await problemOf(generated, combination, genuine, setting, changed);
        if (problem !== undefined)
          problems.push(
            `${problem} ## ${describe(setting)} ## ${name} ## ${body} ## ${genuine.body}`,
          );
      }
    }
    for (const value of otherValues(genuine.headers['x-mark'])) {
      turn += 1;
      if (turn % oneOf !== 0) continue;
      changes += 1;
      const headers = { ...genuine.headers, 'x-mark': value };
      const record = await tried.send(genuine.body, headers);
      if (record?.reason === 'unauthentic') continue;
      authentic += 1;
      for (let index = 0; index < settingCount; index += 1) {
        const setting = settings[(authentic + index) % settings.length] as Setting;
        const changed = { ...genuine, headers };
        const problem = await problemOf(generated, combination, genuine, setting, changed);
        if (problem !== undefined)
          problems.push(`${problem} ## ${describe(setting)} ## ${value} ## ${genuine.body}`);
      }
    }
  }
  return { deliveries: all.length, changes, authentic, problems };
}

/** Returns whether each change of a body is noticed. */
function hasWholeBodySigned({ signing }: Combination): boolean {
  return signing === 'header' || signing === 'both';
}

/** Changes, repeats, moves and leaves out each character and each item of the header with the signature. */
function otherValues(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  const items = value.split(/[ ,]/u);
  const separator = value.includes(' ') ? ' ' : ',';
  const changed = Array.from(value, (character, at) => {
    const others = [
      String.fromCodePoint((character.codePointAt(0) ?? 0) ^ 1),
      character.toUpperCase(),
      '',
      character + character,
    ];
    return others.map((other) => value.slice(0, at) + other + value.slice(at + 1));
  }).flat();
  const all = [
    ...changed,
    ...items.map((_, at) => items.filter((__, other) => other !== at).join(separator)),
    ...items.map((item) => [item, ...items].join(separator)),
    ...items.map((item) => [...items, item].join(separator)),
    items.toReversed().join(separator),
    ...['v1=', 'v1;', 't=0,', 't=1,', 'sha256='].map((prefix) => prefix + value),
    `${value} ${value}`,
    `${value},${value}`,
    ` ${value}`,
    `${value} `,
    `${value}=`,
    value.replace(/=+$/u, ''),
    value.toUpperCase(),
    value.toLowerCase(),
    '',
    'null',
    'undefined',
  ];
  return [...new Set(all)].filter((other) => other !== value);
}

type Generated = Awaited<ReturnType<typeof generateReceiver>>;

/** Returns what is wrong if a genuine delivery arrives as it is. */
async function problemsOf(
  generated: Generated,
  combination: Combination,
  genuine: Genuine,
  setting: Setting,
): Promise<readonly string[]> {
  const expected = expectedMembers(combination, genuine, setting);
  const { send, handled, echoed } = startReceiver(generated, setting);
  const record = await send(genuine.body, genuine.headers);
  const where = ` ## ${describe(setting)} ## ${record?.reason} ${record?.detail} ## ${genuine.body}`;
  if (record === undefined || record.reason === 'unauthentic')
    return [`a genuine delivery is refused${where}`];
  const isSilent = record.reason === 'handled' && echoed.length === 0;
  const isOther = echoed.some((id) => id !== expected[0]?.[0]);
  if (combination.echoes && !genuine.body.includes('"items"') && (isSilent || isOther))
    return [`a response repeats another identity${where} ## ${JSON.stringify(echoed)}`];
  const isText = combination.amount !== 'number' && combination.amount !== 'integer';
  // A receiver that refuses digits that no double holds hands over none of these.
  const isRefused =
    setting.numbers === 'refuse' &&
    !isText &&
    expected.some((members) => typeof members[1] === 'string');
  const events = await handled();
  return isSame(
    events.map((event) => signedMembersOf(combination, event)),
    isRefused ? [] : expected,
  )
    ? []
    : [`a genuine delivery is not handled as it is${where} ## ${JSON.stringify(events)}`];
}

/** What handlers get of each genuine delivery, if nothing else arrives. */
const references = new WeakMap<Genuine, Map<Setting, Promise<readonly Handled[]>>>();

/** Returns what handlers get of a genuine delivery. */
async function alone(
  generated: Generated,
  genuine: Genuine,
  setting: Setting,
): Promise<readonly Handled[]> {
  const bySetting = references.get(genuine) ?? new Map<Setting, Promise<readonly Handled[]>>();
  references.set(genuine, bySetting);
  const receive = async (): Promise<readonly Handled[]> => {
    const { send, handled } = startReceiver(generated, setting);
    await send(genuine.body, genuine.headers);
    return await handled();
  };
  const reference = bySetting.get(setting) ?? receive();
  bySetting.set(setting, reference);
  return await reference;
}

/** Returns what is wrong if an authentic change of a delivery arrives, before it and after it. */
async function problemOf(
  generated: Generated,
  combination: Combination,
  genuine: Genuine,
  setting: Setting,
  changed: Pick<Genuine, 'body' | 'headers'>,
): Promise<string | undefined> {
  const expected = expectedMembers(combination, genuine, setting);
  const isForged = (event: Handled): boolean =>
    !expected.some((members) => isSame(members, signedMembersOf(combination, event)));
  const reference = await alone(generated, genuine, setting);
  const { send, handled, stored, echoed } = startReceiver(generated, setting);
  await send(changed.body, changed.headers);
  if ((await handled()).some(isForged)) return 'a signed member is forged';
  const before = stored.length;
  await send(changed.body, changed.headers);
  if (
    stored
      .slice(before)
      .some(({ orderKey, identity }) => orderKey !== undefined && identity === undefined)
  )
    return 'a copy without identity holds an order key';
  await send(genuine.body, genuine.headers);
  await send(changed.body, changed.headers);
  const all = await handled();
  const ids = new Set(expected.map(([id]) => id));
  // In a list, what is beside it is not signed: the response repeats it to whoever sent it.
  if (combination.signing !== 'each' && echoed.some((id) => !ids.has(id)))
    return 'a response repeats an identity that is forged';
  return all.some(isForged)
    ? 'a signed member is forged later'
    : countProblem(combination, all, reference);
}

/** Returns whether each genuine event was handled once. */
function countProblem(
  combination: Combination,
  handled: readonly Handled[],
  reference: readonly Handled[],
): string | undefined {
  const keyOf = (event: Handled): string => JSON.stringify(signedMembersOf(combination, event)[0]);
  // An unsigned part of the request decides the kind, so that a delivery can be handled as another kind too.
  const isKindSigned =
    combination.recognizing === 'one kind' || combination.recognizing === 'a signed member';
  for (const event of reference) {
    const same = handled.filter((other) => keyOf(other) === keyOf(event));
    const ofKind = same.filter(({ kind }) => kind === event.kind);
    if (ofKind.length === 0 && (isKindSigned || same.length === 0))
      return 'a genuine delivery is not handled afterwards';
    if (ofKind.length > 1 || (isKindSigned && same.length > 1)) return 'an event is handled twice';
  }
  return undefined;
}

function describe({ numbers, through, handsOver }: Setting): string {
  return `numbers ${numbers}, ${through}${handsOver ? ', hands over' : ''}`;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  return Object.is(a, b);
}

/** What a campaign did. */
export interface Counts {
  contracts: number;
  refused: number;
  deliveries: number;
  changes: number;
  authentic: number;
}

/** Attacks the receivers of every combination that `generate` accepts. Returns what is wrong, and what was done. */
export async function campaign(
  combinations: Iterable<Combination>,
  effort: Omit<Effort, 'start'>,
): Promise<{ readonly counts: Counts; readonly problems: readonly string[] }> {
  const counts = { contracts: 0, refused: 0, deliveries: 0, changes: 0, authentic: 0 };
  const problems: string[] = [];
  for (const combination of combinations) {
    const name = nameOf(combination);
    const { contract, diagnostics, documents } = await lowerFiles({
      'openapi.yaml': toContract(combination),
    });
    const errors = [...documents.diagnostics, ...diagnostics].filter(
      ({ severity }) => severity === 'error',
    );
    if (errors.length > 0) {
      counts.refused += 1;
      const isUnclear = errors.some(
        ({ pointer, help }) => pointer === undefined || help === undefined || help === '',
      );
      if (isUnclear) problems.push(`${name}: a diagnostic has no place or no help`);
      if (isSafe(combination))
        problems.push(`${name}: a safe contract is refused: ${errors[0]?.message}`);
      continue;
    }
    counts.contracts += 1;
    const result = await attack(contract, combination, { ...effort, start: counts.contracts });
    counts.deliveries += result.deliveries;
    counts.changes += result.changes;
    counts.authentic += result.authentic;
    problems.push(...result.problems.map((problem) => `${name}: ${problem}`));
  }
  return { counts, problems };
}

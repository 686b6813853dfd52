import { placesOf, replaceAt, type Place, type Tree } from './json-tree.ts';

/** A delivery as an attacker changed it. */
export interface Mutation {
  /** What was changed, for the message of a test that fails. */
  readonly name: string;
  readonly tree: Tree;
}

/** What an attacker can write anywhere. */
const forged: readonly string[] = ['"forged"', '7', 'true', 'null', '{}', '[]'];

/**
 * Changes, moves, repeats, renames and adds each member, and each character of each value, one at a time.
 * @param names every name of a member that the contract knows, in any wire format
 */
export function* mutationsOf(body: Tree, names: readonly string[]): Iterable<Mutation> {
  const places = [...placesOf(body)];
  for (const [place, at] of places) {
    const where = place.join('/');
    const put = (name: string, tree: Tree): Mutation => ({
      name: `${name} at /${where}`,
      tree: replaceAt(body, place, () => tree),
    });
    if ('literal' in at) {
      for (const literal of otherLiterals(at.literal))
        yield put(`${at.literal} as ${literal}`, { literal });
      yield put('in a list', { items: [at] });
    } else if ('items' in at) {
      yield put('no element', { items: [] });
      yield put('each element twice', { items: at.items.flatMap((item) => [item, item]) });
      yield put('elements in another order', { items: at.items.toReversed() });
      yield put('an empty element more', { items: [...at.items, { members: [] }] });
      for (const index of at.items.keys())
        yield put(`only element ${index}`, { items: at.items.slice(index, index + 1) });
      const [first] = at.items;
      if (first !== undefined) yield put('an element in place of the list', first);
    } else yield* changesOfMembers(body, places, place, at.members, names, put);
  }
  for (const { name, tree } of wrappings(body, places, names)) {
    yield { name, tree };
    // A violation beside numbers makes it invalid, so that it is handed over as a deviation, or stored.
    if ('members' in tree)
      yield {
        name: `${name}, invalid`,
        tree: { members: [...tree.members, ['note', { literal: 'true' }]] },
      };
  }
}

type Members = Extract<Tree, { readonly members: unknown }>['members'];

function* changesOfMembers(
  body: Tree,
  places: readonly (readonly [Place, Tree])[],
  place: Place,
  members: Members,
  names: readonly string[],
  put: (name: string, tree: Tree) => Mutation,
): Iterable<Mutation> {
  yield put('members in another order', { members: members.toReversed() });
  for (const [index, [name, value]] of members.entries()) {
    const others = members.filter((_, other) => other !== index);
    yield put(`without ${name}`, { members: others });
    yield put(`${name} twice`, { members: [...members, [name, value]] });
    for (const literal of forged) {
      yield put(`${name} again as ${literal}`, { members: [...members, [name, { literal }]] });
      yield put(`${name} before as ${literal}`, { members: [[name, { literal }], ...members] });
    }
    for (const other of [...names, name.toUpperCase(), '__proto__'])
      if (other !== name) {
        yield put(`${name} renamed to ${other}`, { members: [...others, [other, value]] });
        yield put(`${name} copied to ${other}`, { members: [...members, [other, value]] });
      }
    for (const [target, into] of places)
      if ('members' in into && target.join() !== place.join()) {
        const added = replaceAt(body, target, () => ({
          members: [...into.members, [name, value]],
        }));
        yield {
          name: `${name} copied from /${place.join('/')} to /${target.join('/')}`,
          tree: added,
        };
        // The place of the source is the same, because the copy is behind all other members.
        const tree = replaceAt(added, place, (from) => withoutAt(from, index));
        yield { name: `${name} moved from /${place.join('/')} to /${target.join('/')}`, tree };
      }
  }
  const present = new Set(members.map(([name]) => name));
  for (const name of names)
    if (!present.has(name))
      for (const literal of forged) {
        yield put(`${name} added as ${literal}`, { members: [...members, [name, { literal }]] });
        yield put(`${name} added before as ${literal}`, {
          members: [[name, { literal }], ...members],
        });
      }
}

function withoutAt(tree: Tree, index: number): Tree {
  return 'members' in tree ? { members: tree.members.filter((_, at) => at !== index) } : tree;
}

/** Puts the whole, and each object in it, into the place of another one: with forged members, or beside the original. */
function* wrappings(
  body: Tree,
  places: readonly (readonly [Place, Tree])[],
  names: readonly string[],
): Iterable<Mutation> {
  const original = 'members' in body ? body.members : [];
  for (const [place, at] of places) {
    if (!('members' in at)) continue;
    const where = `/${place.join('/')}`;
    yield { name: `${where} alone`, tree: at };
    yield {
      name: `${where} merged into the whole`,
      tree: { members: [...at.members, ...original] },
    };
    // Forged values under every name of the canonical format, beside what was signed.
    for (const literal of forged) {
      const missing = names.filter((name) => !original.some(([known]) => known === name));
      const tree = {
        members: [...original, ...missing.map((name) => [name, { literal }] as const)],
      };
      if (place.length === 0) yield { name: `every other name as ${literal}`, tree };
    }
    for (const name of names) {
      yield { name: `${where} in the list ${name}`, tree: { members: [[name, { items: [at] }]] } };
      yield { name: `${where} in ${name}`, tree: { members: [[name, at]] } };
      yield {
        name: `${where} in the list ${name} beside the original`,
        tree: {
          members: [...original.filter(([known]) => known !== name), [name, { items: [at, at] }]],
        },
      };
      const forgery = {
        members: at.members.map(([known, value]) => [known, forge(value)] as const),
      };
      for (const inner of [forgery, at]) {
        const others = original.filter(([known]) => known !== name);
        yield {
          name: `the original, with ${where} ${inner === at ? '' : 'forged '}in the list ${name}`,
          tree: { members: [...others, [name, { items: [inner] }]] },
        };
        yield {
          name: `${where} ${inner === at ? '' : 'forged '}as the whole, with the original in ${name}`,
          tree: { members: [...inner.members, [name, { items: [at] }]] },
        };
      }
    }
    const forgedWhole = at.members.map(([known, value]) => [known, forge(value)] as const);
    for (const [kept, beside] of [
      ['the original', original],
      ...original.map(
        ([left], index) =>
          [`the original without ${left}`, original.filter((_, other) => other !== index)] as const,
      ),
    ] as const) {
      yield {
        name: `${where} forged as the whole, before ${kept}`,
        tree: { members: [...forgedWhole, ...beside] },
      };
      yield {
        name: `${where} forged as the whole, behind ${kept}`,
        tree: { members: [...beside, ...forgedWhole] },
      };
    }
  }
}

/** Returns a value of the same type with other content. */
function forge(value: Tree): Tree {
  if (!('literal' in value)) return value;
  const { literal } = value;
  if (literal.startsWith('"')) return { literal: `"x${literal.slice(1)}` };
  if (literal === 'true') return { literal: 'false' };
  if (literal === 'false') return { literal: 'true' };
  return { literal: `9${literal.replace(/^-/u, '')}` };
}

/** Returns what else can be written in the place of a literal. */
function otherLiterals(literal: string): readonly string[] {
  const isText = literal.startsWith('"');
  const content = isText ? literal.slice(1, -1) : literal;
  const spelled = isText
    ? [content, `"${content}x"`, `"${content}:"`, `":${content}"`, `" ${content}"`, `"${content} "`]
    : [`"${content}"`, `" ${content}"`];
  const changed = content.split('').flatMap((character, index) => {
    const others = /\d/u.test(character)
      ? [String((Number(character) + 1) % 10)]
      : [String.fromCodePoint((character.codePointAt(0) ?? 0) ^ 1)];
    return others.map((other) => content.slice(0, index) + other + content.slice(index + 1));
  });
  const numbers =
    /^-?\d/u.test(content) && !Number.isNaN(Number(content)) ? otherNumbers(content) : [];
  const both = [...changed, ...numbers];
  const all = [
    ...forged,
    ...spelled,
    '""',
    '0',
    '-0',
    'false',
    ...both.map((text) => (isText ? `"${text}"` : text)),
    // A text of the same characters, and the reverse.
    ...numbers.map((text) => (isText ? text : `"${text}"`)),
  ];
  return [...new Set(all)].filter((other) => other !== literal && other !== '');
}

/** Returns other ways in which the number is written, and numbers beside it that have the same double. */
function otherNumbers(number: string): readonly string[] {
  const point = number.includes('.') ? '' : '.';
  const value = Number(number);
  return [
    `${number}${point}0`,
    `${number}${point}000`,
    `${number}${point}${'0'.repeat(27)}1`,
    `${number}${point}${'9'.repeat(3)}`,
    `${number}e0`,
    `${number}E+0`,
    `${number}e1`,
    `${number}0`,
    number.startsWith('-') ? number.slice(1) : `-${number}`,
    `${number}${number.replace(/\D/gu, '')}`,
    value.toExponential(),
    (value / 10 ** 3).toFixed(6).concat('e3'),
    String(value + 1),
    `${value}`,
    value.toFixed(2),
  ];
}

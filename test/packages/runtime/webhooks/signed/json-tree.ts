/** A JSON value that keeps each literal as it is written, and members that have the same name. */
export type Tree =
  | { readonly literal: string }
  | { readonly members: readonly (readonly [name: string, value: Tree])[] }
  | { readonly items: readonly Tree[] };

/** Reads JSON without spaces. */
export function readTree(text: string): Tree {
  let at = 0;
  const literal = (): string => {
    const pattern = /"(?:[^"\\]|\\.)*"|[^,:[\]{}]+/uy;
    pattern.lastIndex = at;
    const [found = ''] = pattern.exec(text) ?? [];
    if (found === '') throw new SyntaxError(`There is no JSON at ${at} of ${text}.`);
    at += found.length;
    return found;
  };
  const list = <T>(end: string, item: () => T): T[] => {
    const items: T[] = [];
    for (at += 1; text[at] !== end;) {
      items.push(item());
      if (text[at] === ',') at += 1;
    }
    at += 1;
    return items;
  };
  const value = (): Tree => {
    if (text[at] === '[') return { items: list(']', value) };
    if (text[at] !== '{') return { literal: literal() };
    return {
      members: list('}', () => {
        const name = JSON.parse(literal()) as string;
        at += 1;
        return [name, value()] as const;
      }),
    };
  };
  return value();
}

/** Writes a value without spaces. */
export function writeTree(tree: Tree): string {
  if ('literal' in tree) return tree.literal;
  if ('items' in tree) return `[${tree.items.map(writeTree).join()}]`;
  const members = tree.members.map(
    ([name, value]) => `${JSON.stringify(name)}:${writeTree(value)}`,
  );
  return `{${members.join()}}`;
}

/** Where a value is: positions among the members of an object, or the elements of an array. */
export type Place = readonly number[];

/** Returns every value with its place, the whole first. */
export function* placesOf(tree: Tree, place: Place = []): Iterable<readonly [Place, Tree]> {
  yield [place, tree];
  for (const [index, child] of childrenOf(tree).entries())
    yield* placesOf(child, [...place, index]);
}

function childrenOf(tree: Tree): readonly Tree[] {
  if ('literal' in tree) return [];
  return 'items' in tree ? tree.items : tree.members.map(([, value]) => value);
}

/** Returns a copy in which another value is at a place. */
export function replaceAt(tree: Tree, [index, ...inner]: Place, change: (at: Tree) => Tree): Tree {
  if (index === undefined) return change(tree);
  if ('items' in tree)
    return {
      items: tree.items.map((item, at) => (at === index ? replaceAt(item, inner, change) : item)),
    };
  if ('literal' in tree) throw new TypeError('A literal contains no other value.');
  return {
    members: tree.members.map(([name, value], at) =>
      at === index ? ([name, replaceAt(value, inner, change)] as const) : ([name, value] as const),
    ),
  };
}

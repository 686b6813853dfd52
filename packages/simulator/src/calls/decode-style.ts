import type { Json, ValueShape } from 'countersign/kit';
import { toScalar } from './decode-text.ts';

type Decode = (text: string) => string;

/** A value that is written with its name, such as one of a query. */
export interface NamedStyle {
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
  readonly shape: ValueShape | undefined;
}

/** Names, decoded, and values, not decoded. */
export type Pairs = readonly (readonly [name: string, text: string])[];

/** Pairs by the parameters that they belong to. A call can have many pairs, and each is read a few times at most. */
export interface IndexedPairs {
  /** The values by name. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The pairs whose names are that of a parameter with or without brackets, by this name. */
  readonly bracketed: ReadonlyMap<string, Pairs>;
  /** The pairs whose names are not those of other parameters. */
  readonly undeclared: Pairs;
}

/** Returns a function that indexes pairs for certain parameters. */
export function compileIndex(declared: readonly NamedStyle[]): (pairs: Pairs) => IndexedPairs {
  const names = new Set(declared.map(({ name }) => name));
  const deep = new Set(declared.filter(isDeep).map(({ name }) => name));
  const maxLength = Math.max(0, ...[...deep].map(({ length }) => length));
  return (pairs) => {
    const texts = new Map<string, string[]>();
    const bracketed = new Map<string, (readonly [string, string])[]>();
    const undeclared: (readonly [string, string])[] = [];
    for (const pair of pairs) {
      const [member, text] = pair;
      append(texts, member, text);
      if (!names.has(member)) undeclared.push(pair);
      if (deep.has(member)) append(bracketed, member, pair);
      for (
        let end = member.indexOf('[');
        end !== -1 && end <= maxLength;
        end = member.indexOf('[', end + 1)
      )
        if (deep.has(member.slice(0, end))) append(bracketed, member.slice(0, end), pair);
    }
    return { texts, bracketed, undeclared };
  };
}

function append<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}

function isDeep({ style }: NamedStyle): boolean {
  return style.startsWith('deepObject');
}

/** Returns whether a value is written as an array: several types are decided by what is written. */
function isArray(shape: ValueShape | undefined): boolean {
  return shape?.types.includes('array') === true;
}

function isObject(shape: ValueShape | undefined): boolean {
  return shape?.types.includes('object') === true;
}

/** Returns the value of items that were separated by a delimiter. */
export function fromItems(
  items: readonly string[],
  explode: boolean,
  shape: ValueShape | undefined,
  decode: Decode,
): Json {
  if (isArray(shape)) return items.map((item) => toScalar(decode(item), shape?.items));
  if (!isObject(shape)) return toScalar(decode(items.join(',')), shape);
  const members: [string, Json][] = [];
  if (explode)
    for (const item of items) {
      const end = item.indexOf('=');
      const name = decode(end === -1 ? item : item.slice(0, end));
      members.push([name, memberOf(shape, name, end === -1 ? '' : decode(item.slice(end + 1)))]);
    }
  else
    for (let index = 0; index < items.length; index += 2) {
      const name = decode(items[index] ?? '');
      members.push([name, memberOf(shape, name, decode(items[index + 1] ?? ''))]);
    }
  return Object.fromEntries(members);
}

/** Returns the value of a parameter of the path, or `undefined` where the text is not in the style. */
export function fromPathText(
  text: string,
  { name, style, explode, shape }: NamedStyle,
  decode: Decode,
): Json | undefined {
  if (style === 'label')
    return text.startsWith('.')
      ? fromItems(
          isScalar(shape) ? [text.slice(1)] : text.slice(1).split(explode ? '.' : ','),
          explode,
          shape,
          decode,
        )
      : undefined;
  if (style !== 'matrix') return fromItems(text.split(','), explode, shape, decode);
  if (!text.startsWith(';')) return undefined;
  const items = text.slice(1).split(';');
  if (explode && isObject(shape)) return fromItems(items, true, shape, decode);
  const values: string[] = [];
  for (const item of items) {
    const end = item.indexOf('=');
    if (decode(end === -1 ? item : item.slice(0, end)) !== name) return undefined;
    const value = end === -1 ? '' : item.slice(end + 1);
    values.push(...(explode ? [value] : value.split(',')));
  }
  return fromItems(values, false, shape, decode);
}

function isScalar(shape: ValueShape | undefined): boolean {
  return !isArray(shape) && !isObject(shape);
}

/** Returns the value of a parameter of the query, a cookie or a field of a form, or `undefined` where it is absent. */
export function fromPairs(
  pairs: IndexedPairs,
  named: NamedStyle,
  decode: Decode,
): Json | undefined {
  const { name, style, explode, shape } = named;
  if (isDeep(named)) return fromBrackets(pairs.bracketed.get(name) ?? [], named, decode);
  if (style === 'jsonItems') return fromJsonItems(pairs.texts.get(name) ?? [], shape, decode);
  if (explode && isObject(shape) && !isArray(shape)) {
    // A name that occurs several times has its last value.
    const members = new Map(pairs.undeclared);
    for (const member of Object.keys(shape?.properties ?? {})) {
      const text = pairs.texts.get(member)?.at(-1);
      if (text !== undefined) members.set(member, text);
    }
    return members.size === 0
      ? undefined
      : Object.fromEntries(
          Array.from(members, ([member, text]) => [member, memberOf(shape, member, decode(text))]),
        );
  }
  const texts = pairs.texts.get(name) ?? [];
  const [first] = texts;
  if (first === undefined) return undefined;
  if (isScalar(shape)) {
    // A repeated parameter is reported by its validation, as an array in the place of a scalar.
    const values = texts.map((text) => toScalar(decode(text), shape));
    return values.length === 1 ? values[0] : values;
  }
  if (explode || (texts.length > 1 && isArray(shape)))
    return fromItems(texts, false, shape, decode);
  const delimiter =
    style === 'spaceDelimited' ? /%20|\+| /u : style === 'pipeDelimited' ? /\||%7C/iu : ',';
  return fromItems(first.split(delimiter), false, shape, decode);
}

/** Returns the value of a field that is JSON, or whose items are. */
function fromJsonItems(
  texts: readonly string[],
  shape: ValueShape | undefined,
  decode: Decode,
): Json | undefined {
  if (texts.length === 0) return undefined;
  const values = texts.map((text) =>
    fromJsonText(decode(text), isArray(shape) ? shape?.items : shape),
  );
  const [only = null] = values;
  const isWhole = values.length === 1 && (!isArray(shape) || Array.isArray(only));
  return isWhole ? only : values;
}

function fromJsonText(text: string, shape: ValueShape | undefined): Json {
  try {
    if (/^\s*[[{]/u.test(text)) return JSON.parse(text) as Json;
  } catch {
    // A text that only looks like JSON.
  }
  return toScalar(text, shape);
}

/** Returns the value that `name[a]=1&name[b][0]=2` represents. */
function fromBrackets(pairs: Pairs, { name, shape }: NamedStyle, decode: Decode): Json | undefined {
  const root: Tree = { members: new Map() };
  for (const [member, text] of pairs) {
    let tree = root;
    for (const [, key = ''] of member.slice(name.length).matchAll(/\[([^[\]]*)\]/gu)) {
      const step = key === '' ? String(tree.members.size) : key;
      const next: Tree = tree.members.get(step) ?? { members: new Map() };
      tree.members.set(step, next);
      tree = next;
    }
    (tree.texts ??= []).push(decode(text));
  }
  return root.members.size === 0 && root.texts === undefined ? undefined : fromTree(root, shape);
}

interface Tree {
  readonly members: Map<string, Tree>;
  texts?: string[];
}

function fromTree({ members, texts }: Tree, shape: ValueShape | undefined): Json {
  if (members.size === 0) {
    const values = (texts ?? []).map((text) =>
      toScalar(text, isArray(shape) ? shape?.items : shape),
    );
    return isArray(shape) || values.length > 1 ? values : (values[0] ?? '');
  }
  const isList = isArray(shape) || [...members.keys()].every((key) => /^\d+$/u.test(key));
  if (isList && !isObject(shape))
    return [...members.values()].map((member) => fromTree(member, shape?.items));
  return Object.fromEntries(
    [...members].map(([key, member]) => [key, fromTree(member, propertyOf(shape, key))]),
  );
}

function propertyOf(shape: ValueShape | undefined, name: string): ValueShape | undefined {
  const properties = shape?.properties ?? {};
  return Object.hasOwn(properties, name) ? properties[name] : shape?.others;
}

function memberOf(shape: ValueShape | undefined, name: string, text: string): Json {
  return toScalar(text, propertyOf(shape, name));
}

import type { HeaderLookup } from './request.ts';

/** Where a value stands that a decision or a key depends on. */
export type Read =
  /** A member of the body; the whole body where the path is empty. */
  | { readonly body: readonly string[] }
  /** In lower case. */
  | { readonly header: string }
  | { readonly query: string }
  /** A parameter of the label's path. */
  | { readonly parameter: string }
  | 'method'
  | 'path'
  /** The body as it travelled. */
  | 'raw';

/** Where a decision goes on: the index of a node, or the names that it ends with. */
export type Next = number | readonly string[];

/** The types of values that a decision tells apart; an integer is no `number` here. */
export type ValueType =
  | 'absent'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'array'
  | 'object';

/** One value looked at: single values go before types, and types before the rest. */
export interface DecisionNode {
  /** An index among the reads. */
  readonly read: number;
  readonly values?: ReadonlyMap<unknown, Next>;
  readonly types?: { readonly [type in ValueType]?: Next };
  readonly rest: Next;
}

/** Which names a delivery has, decided with no value looked at twice. */
export interface Decision {
  readonly nodes: readonly DecisionNode[];
  readonly start: Next;
}

/** What values are read from. */
export interface Readable {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderLookup;
  readonly parameters: Readonly<Record<string, string>>;
  readonly raw: Uint8Array;
}

/** Follows a decision to the names at its end. */
export function decide(
  decision: Decision,
  reads: readonly Read[],
  from: Readable,
  body: unknown,
): readonly string[] {
  let next = decision.start;
  while (typeof next === 'number') {
    const node: DecisionNode | undefined = decision.nodes[next];
    if (node === undefined) return [];
    const value = readValue(reads[node.read] ?? 'method', from, body);
    next = node.values?.get(value) ?? node.types?.[typeOf(value)] ?? node.rest;
  }
  return next;
}

/** The value at a place, `undefined` where there is none. A header that is repeated has no value. */
export function readValue(read: Read, from: Readable, body: unknown): unknown {
  if (typeof read === 'string') return read === 'raw' ? from.raw : from[read];
  if ('body' in read) return memberAt(body, read.body);
  if ('parameter' in read)
    return Object.hasOwn(from.parameters, read.parameter)
      ? from.parameters[read.parameter]
      : undefined;
  const values =
    'header' in read
      ? from.headers(read.header)
      : new URLSearchParams(from.query).getAll(read.query);
  return values.length === 1 ? values[0] : undefined;
}

/** The value at the members of a JSON Pointer, `undefined` where there is none. */
export function memberAt(value: unknown, members: readonly string[]): unknown {
  let here = value;
  for (const member of members) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, member)) return undefined;
    if (Array.isArray(here) && !/^\d/u.test(member)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[member];
  }
  return here;
}

function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return 'absent';
  }
}

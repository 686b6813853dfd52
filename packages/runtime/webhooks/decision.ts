import type { HeaderLookup } from './request.ts';
import { queryValues } from './target.ts';

/** The location of a value that a decision or a replay key depends on. */
export type Read =
  /** The path to a member of the body; the whole body where it is empty. */
  | { readonly body: readonly string[] }
  /** The header's name in lower case. */
  | { readonly header: string }
  | { readonly query: string }
  /** A parameter of the label's path template. */
  | { readonly parameter: string }
  | 'method'
  | 'path'
  /** The raw bytes of the body. */
  | 'raw';

/** The next step of a decision: the index of a node, or the resulting names. */
export type Next = number | readonly string[];

/** The types of values that a decision distinguishes. An integer is `integer` and never `number`. */
export type ValueType =
  | 'absent'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'array'
  | 'object';

/**
 * A test of one value. It matches `values` first, then `types`, and uses `rest` otherwise. With a pattern, it matches
 * `true` where the value is a text that the pattern matches, and `false` otherwise.
 */
export interface DecisionNode {
  /** Index in the catalogue's `reads`. */
  readonly read: number;
  /** A regular expression without the flags `g` and `y`. The generator has checked that it takes linear time. */
  readonly pattern?: RegExp;
  readonly values?: ReadonlyMap<unknown, Next>;
  readonly types?: { readonly [type in ValueType]?: Next };
  readonly rest: Next;
}

/** A decision tree that finds the names that apply to a delivery. It reads each value at most once. */
export interface Decision {
  readonly nodes: readonly DecisionNode[];
  readonly start: Next;
}

/** The parts of a delivery that values are read from. */
export interface Readable {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderLookup;
  readonly parameters: Readonly<Record<string, string>>;
  readonly raw: Uint8Array;
  /** Values of headers and query parameters, and keys of the raw bytes, which each event of a delivery shares. */
  readonly cache: Map<unknown, unknown>;
}

/** Evaluates a decision and returns its resulting names. */
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
    const read = readValue(reads[node.read] ?? 'method', from, body);
    const value =
      node.pattern === undefined ? read : typeof read === 'string' && node.pattern.test(read);
    next = node.values?.get(value) ?? node.types?.[typeOf(value)] ?? node.rest;
  }
  return next;
}

/**
 * Returns the value at a location, or `undefined` where there is none. A repeated header or query parameter has no
 * value.
 */
export function readValue(read: Read, from: Readable, body: unknown): unknown {
  if (typeof read === 'string') return read === 'raw' ? from.raw : from[read];
  if ('body' in read) return memberAt(body, read.body);
  if ('parameter' in read)
    return Object.hasOwn(from.parameters, read.parameter)
      ? from.parameters[read.parameter]
      : undefined;
  if (from.cache.has(read)) return from.cache.get(read);
  const values = 'header' in read ? from.headers(read.header) : queryValues(from.query, read.query);
  const value = values.length === 1 ? values[0] : undefined;
  from.cache.set(read, value);
  return value;
}

/** Returns the value at the unescaped members of a JSON Pointer, or `undefined` where there is none. */
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

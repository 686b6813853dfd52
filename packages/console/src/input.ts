import type { Context } from 'hono';
import { RefusedRequest } from './refused-request.ts';

/** Reads a value of a request. Refuses what has another form; `where` names the value in the message. */
export type Reader<T> = (value: unknown, where: string) => T;

/**
 * Reads the JSON body of a request.
 * @throws RefusedRequest for a body that is too large or is not JSON, or has another form
 */
export async function readBody<T>(
  { req }: Context,
  reader: Reader<T>,
  parse: (text: string) => unknown = JSON.parse,
): Promise<T> {
  if (!/^application\/json\s*(?:;|$)/iu.test(req.header('content-type') ?? ''))
    throw new RefusedRequest(400, 'invalid-input', 'The body must be application/json.');
  const bytes = await req.arrayBuffer();
  let value: unknown;
  try {
    value = parse(new TextDecoder().decode(bytes));
  } catch {
    throw new RefusedRequest(400, 'invalid-input', 'The body is not JSON.');
  }
  return reader(value, '');
}

/** A value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Well-formed text of at most `limit` characters. */
export function text(limit = 2000): Reader<string> {
  return (value, where) => {
    if (typeof value === 'string' && value.length <= limit && value.isWellFormed()) return value;
    throw invalid(where, `must be well-formed text of at most ${limit} characters`);
  };
}

/** A whole number within two limits. */
export function integer(from: number, to: number): Reader<number> {
  return (value, where) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to)
      return value;
    throw invalid(where, `must be a whole number from ${from} to ${to}`);
  };
}

/** A number from 0 to 1. */
export const share: Reader<number> = (value, where) => {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw invalid(where, 'must be a number from 0 to 1');
};

/** `true` or `false`. */
export const flag: Reader<boolean> = (value, where) => {
  if (typeof value === 'boolean') return value;
  throw invalid(where, 'must be true or false');
};

/** How deep the values of a request may be nested. */
const maxDepth = 200;

/** Any JSON value that is not nested too deeply. */
export const json: Reader<JsonValue> = (value, where) => {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw invalid(where, `must be nested at most ${maxDepth} deep`);
    level = level.flatMap((node) =>
      typeof node === 'object' && node !== null ? Object.values(node) : [],
    );
  }
  return value as JsonValue;
};

/** One of a list of texts. */
export function oneOf<T extends string>(values: readonly T[]): Reader<T> {
  return (value, where) => {
    const choice = values.find((candidate) => candidate === value);
    if (choice !== undefined) return choice;
    throw invalid(where, `must be one of ${values.join(', ')}`);
  };
}

/** A list with at most `limit` elements. */
export function list<T>(element: Reader<T>, limit = 100): Reader<readonly T[]> {
  return (value, where) => {
    if (Array.isArray(value) && value.length <= limit)
      return value.map((elementValue, index) => element(elementValue, `${where}/${index}`));
    throw invalid(where, `must be a list of at most ${limit} elements`);
  };
}

/** An object with any names and values of one form. */
export function dictionary<T>(member: Reader<T>, limit = 100): Reader<Readonly<Record<string, T>>> {
  return (value, where) => {
    const entries = Object.entries(toObject(value, where));
    if (entries.length > limit) throw invalid(where, `must have at most ${limit} members`);
    return Object.fromEntries(
      entries.map(([name, memberValue]) => [name, member(memberValue, `${where}/${name}`)]),
    );
  };
}

/** An object with optional members. Other members are refused, so that a misspelt name has an effect. */
export function members<T extends Readonly<Record<string, Reader<unknown>>>>(
  readers: T,
): Reader<{ readonly [K in keyof T]?: ReturnType<T[K]> }> {
  return (value, where) => {
    const read: { -readonly [K in keyof T]?: ReturnType<T[K]> } = {};
    for (const [name, member] of Object.entries(toObject(value, where))) {
      const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
      if (reader === undefined)
        throw invalid(
          where,
          `has the unknown member ${JSON.stringify(name.slice(0, 60))}; known are ${Object.keys(readers).join(', ')}`,
        );
      read[name as keyof T] = reader(member, `${where}/${name}`) as ReturnType<T[keyof T]>;
    }
    return read;
  };
}

/** Returns a value that a request must have. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw invalid(`/${name}`, 'is required');
  return value;
}

/**
 * Returns the number of a query parameter or of a path.
 * @throws RefusedRequest for other text
 */
export function toNumber(value: string, where: string): number {
  if (/^\d{1,15}$/u.test(value)) return Number(value);
  throw invalid(where, 'must be a whole number');
}

function toObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw invalid(where, 'must be an object');
}

function invalid(where: string, problem: string): RefusedRequest {
  return new RefusedRequest(400, 'invalid-input', `${where || 'The body'} ${problem}.`);
}

import { expandPath, type JsonPath, leavesOf, parsePointer, valueAt } from './json-path.ts';
import type { Json } from 'countersign/kit';

/** What makes two deliveries of a notification the same event, with the answers to open questions. */
export interface EventIdentity {
  readonly kind: string;
  /** The expressions of `x-dedupe-by`; none where no two deliveries are the same. */
  readonly expressions: readonly string[];
  /** Whether the members of the payload are parameters of the query. */
  readonly isInQuery: boolean;
}

/** The name of a header and its value. */
type Header = readonly [name: string, value: string];

/**
 * Returns a text that is equal for deliveries of the same event; `undefined` where nothing identifies an event, or the
 * delivery has none of it.
 */
export function identityOf(
  event: EventIdentity,
  value: Json,
  headers: readonly Header[] = [],
): string | undefined {
  const byName = new Map(headers.map(([name, text]) => [name.toLowerCase(), text]));
  const texts = identifyingHeaders(event).map((name) => byName.get(name) ?? null);
  const body = bodyIdentity(event, value);
  return body === undefined && texts.every((text) => text === null)
    ? undefined
    : JSON.stringify([event.kind, body ?? [], ...texts]);
}

/** Returns what identifies an event in its payload; `undefined` where that has none of it. */
export function bodyIdentity(event: EventIdentity, value: Json): Json | undefined {
  if (event.expressions.includes('$request.body')) return value;
  const places = identifyingPlaces(event, value);
  return places.length === 0 ? undefined : places.map((path) => valueAt(value, path) ?? null);
}

/** Returns the names of the headers that identify an event, in lower case. */
export function identifyingHeaders({ expressions }: EventIdentity): readonly string[] {
  return expressions.flatMap((expression) => {
    const name = /^\$request\.header\.(.+)$/u.exec(expression)?.[1];
    return name === undefined ? [] : [name.toLowerCase()];
  });
}

/**
 * Returns where a payload has the values of the identity: at their places, or in another wire format by their names.
 */
export function identifyingPlaces(
  { expressions, isInQuery }: EventIdentity,
  value: Json,
): readonly JsonPath[] {
  return expressions.flatMap((expression) => {
    const path = pathIn(expression, isInQuery);
    if (path === undefined) return [];
    const places = expandPath(value, path);
    if (places.length > 0) return places;
    const name = path.findLast((segment) => !/^(?:\*|\d+)$/u.test(segment));
    return leavesOf(value)
      .filter((leaf) => leaf.path.at(-1) === name)
      .map((leaf) => leaf.path);
  });
}

function pathIn(expression: string, isInQuery: boolean): readonly string[] | undefined {
  const parameter = /^\$request\.query\.(.+)$/su.exec(expression)?.[1];
  if (parameter !== undefined) return isInQuery ? [parameter] : undefined;
  return parsePointer(/^\$request\.body#(.*)$/su.exec(expression)?.[1] ?? '-');
}

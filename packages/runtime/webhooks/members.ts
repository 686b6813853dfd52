/** What is wrong with member names. */
export type NameFault =
  | 'duplicate-key'
  /** A member `__proto__`, or `prototype` inside a `constructor`. */
  | 'prototype-key';

/**
 * Returns what is wrong with the member names of a parsed JSON value, or `undefined`. `JSON.parse` keeps only the last
 * of several members with one name. A duplicate, however it was escaped, thus makes the count smaller than in the text.
 * @param members the number of members in the text
 */
export function faultOfMembers(value: unknown, members: number): NameFault | undefined {
  const count = isContainer(value) ? countMembers(value) : 0;
  if (count < 0) return 'prototype-key';
  return count === members ? undefined : 'duplicate-key';
}

/** Returns the number of members in a value at all levels, or a negative number where a name is forbidden. */
function countMembers(container: object): number {
  let count = 0;
  if (Array.isArray(container)) {
    for (const element of container) if (isContainer(element)) count += countMembers(element);
    return count;
  }
  const record = container as Readonly<Record<string, unknown>>;
  for (const name in record) {
    // oxlint-disable-next-line prefer-object-has-own -- inside `for in`, engines compile this one away
    if (!Object.prototype.hasOwnProperty.call(record, name)) continue;
    const value = record[name];
    if (name === '__proto__' || (name === 'constructor' && holdsPrototype(value)))
      return Number.NEGATIVE_INFINITY;
    count++;
    if (isContainer(value)) count += countMembers(value);
  }
  return count;
}

function holdsPrototype(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsPrototype);
  return isContainer(value) && Object.hasOwn(value, 'prototype');
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

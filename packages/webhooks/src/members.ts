/** What is wrong with the names of members. */
export type NameFault =
  | 'duplicate-key'
  /** A member `__proto__`, or `prototype` inside a `constructor`. */
  | 'prototype-key';

/**
 * Says what is wrong with the members of a parsed JSON value. `JSON.parse` keeps the last of several with one
 * name, so that any duplicate, however it was written, makes them fewer than were counted in the text.
 * @param members how many the text has, all together
 */
export function faultOfMembers(value: unknown, members: number): NameFault | undefined {
  const found = isContainer(value) ? countMembers(value) : 0;
  if (found < 0) return 'prototype-key';
  return found === members ? undefined : 'duplicate-key';
}

/** How many members a value has with all that is in it; below 0 where one has a name that none may have. */
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

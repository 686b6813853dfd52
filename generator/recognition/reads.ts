import { pointerMembers } from '../json/pointer.ts';

/** The location of a value in a delivery, which the runtime calls a `Read`. */
export type Read =
  | { readonly body: readonly string[] }
  | { readonly header: string }
  | { readonly query: string }
  | { readonly parameter: string }
  | 'method'
  | 'path'
  | 'raw';

/**
 * Returns the location of a runtime expression's value; `undefined` for an expression that has no value in a receiver.
 */
export function findRead(expression: string): Read | undefined {
  if (expression === '$method') return 'method';
  if (expression === '$url.path') return 'path';
  if (expression === '$request.body') return 'raw';
  const { kind = '', rest = '' } =
    /^\$request\.(?<kind>body#|header\.|query\.|path\.)(?<rest>.*)$/su.exec(expression)?.groups ??
    {};
  switch (kind) {
    case 'body#':
      return { body: pointerMembers(rest) };
    case 'header.':
      return { header: rest.toLowerCase() };
    case 'query.':
      return { query: rest };
    case 'path.':
      return { parameter: rest };
    default:
      return undefined;
  }
}

/**
 * Returns the location of the value that a condition is about. A condition on `$request.body` applies to the parsed
 * value, not to the bytes.
 */
export function findConditionRead(expression: string): Read | undefined {
  return expression === '$request.body' ? { body: [] } : findRead(expression);
}

/** Returns the path of a value in the body; `undefined` for a value elsewhere. */
export function bodyPathOf(read: Read | undefined): readonly string[] | undefined {
  return typeof read === 'object' && 'body' in read ? read.body : undefined;
}

/** Returns whether a path leads to a container of the value that the other path leads to. */
export function isAbove(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.length < inner.length && outer.every((member, index) => member === inner[index]);
}

/** The members inside a container, and the positions in a list of the paths that end at it. */
interface PathNode {
  readonly positions: number[];
  readonly members: Map<string, PathNode>;
}

/** Returns, for each of some paths, the positions of those that lead to a container of its value, the outermost first. */
export function outerPositions(
  paths: readonly (readonly string[] | undefined)[],
): readonly (readonly number[])[] {
  const root: PathNode = { positions: [], members: new Map() };
  for (const [position, path] of paths.entries()) {
    let node = root;
    for (const member of path ?? []) {
      const inner = node.members.get(member) ?? { positions: [], members: new Map() };
      node.members.set(member, inner);
      node = inner;
    }
    if (path !== undefined) node.positions.push(position);
  }
  return paths.map((path = []) => {
    let node: PathNode | undefined = root;
    return path.flatMap((member) => {
      const positions = node?.positions ?? [];
      node = node?.members.get(member);
      return positions;
    });
  });
}

/** Returns the types of values that can have a member. */
export function containersOf(member = ''): readonly ('object' | 'array')[] {
  return /^(?:0|[1-9]\d*)$/u.test(member) ? ['object', 'array'] : ['object'];
}

/**
 * Returns the location of a runtime expression's value, for an expression of a valid contract.
 * @throws TypeError for an expression that has no value in a receiver
 */
export function toRead(expression: string): Read {
  const read = findRead(expression);
  if (read !== undefined) return read;
  throw new TypeError(`A receiver has no value for the expression ${JSON.stringify(expression)}.`);
}

/** The distinct reads that conditions are about, each identified by its index. */
export class ValueSources {
  readonly all: Read[] = [];
  readonly #indexes = new Map<string, number>();

  /** Returns the index of the read of a condition's expression, which it adds if it is new. */
  indexOf(expression: string): number {
    const read = findConditionRead(expression) ?? toRead(expression);
    const key = JSON.stringify(read);
    const index = this.#indexes.get(key) ?? this.all.push(read) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}

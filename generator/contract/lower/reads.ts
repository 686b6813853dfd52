import { isDeepStrictEqual } from 'node:util';

/** Where a value stands: what the runtime calls a `Read`. */
export type Read =
  | { readonly body: readonly string[] }
  | { readonly header: string }
  | { readonly query: string }
  | { readonly parameter: string }
  | 'method'
  | 'path'
  | 'raw';

/** Where the value of a runtime expression stands; `undefined` for one that a receiver has nothing for. */
export function findRead(expression: string): Read | undefined {
  if (expression === '$method') return 'method';
  if (expression === '$url.path') return 'path';
  if (expression === '$request.body') return 'raw';
  const { kind = '', rest = '' } =
    /^\$request\.(?<kind>body#|header\.|query\.|path\.)(?<rest>.*)$/su.exec(expression)?.groups ??
    {};
  switch (kind) {
    case 'body#':
      return { body: toMembers(rest) };
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

/** The same for expressions of a contract that keeps its rules. Throws a TypeError for one that a receiver has nothing for. */
export function toRead(expression: string): Read {
  const read = findRead(expression);
  if (read !== undefined) return read;
  throw new TypeError(`A receiver has nothing for the expression ${JSON.stringify(expression)}.`);
}

/** The unescaped members of a JSON Pointer. */
export function toMembers(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Numbers the reads that conditions are about, each once. */
export class ReadList {
  readonly all: Read[] = [];

  /** What a schema says of the body, it says of the value and not of the bytes. */
  indexOf(expression: string): number {
    const read = expression === '$request.body' ? { body: [] } : toRead(expression);
    const known = this.all.findIndex((candidate) => isDeepStrictEqual(candidate, read));
    return known >= 0 ? known : this.all.push(read) - 1;
  }
}

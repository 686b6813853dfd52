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

/** Reads a runtime expression. Throws a TypeError for one that a receiver has nothing for. */
export function toRead(expression: string): Read {
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
      throw new TypeError(
        `A receiver has nothing for the expression ${JSON.stringify(expression)}.`,
      );
  }
}

/** The unescaped members of a JSON Pointer. */
export function toMembers(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Numbers the reads of a catalogue, each once. */
export class ReadList {
  readonly all: Read[] = [];

  indexOf(expression: string): number {
    const read = toRead(expression);
    const known = this.all.findIndex((candidate) => isDeepStrictEqual(candidate, read));
    return known >= 0 ? known : this.all.push(read) - 1;
  }
}

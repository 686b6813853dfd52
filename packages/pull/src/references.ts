import { isPair, isScalar, parseDocument, Scalar, visit } from 'yaml';
import { isSchemaName } from 'countersign/companion/documents';
import type { Json } from 'countersign/kit';

/** Members whose values are data, in which nothing is a reference. */
const dataMembers: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'example',
  'x-invalid-examples',
]);

/** The references to other documents in a document, as they are written. */
export interface References {
  /** Those of `$ref`, whose documents are part of the contract. */
  readonly followed: ReadonlySet<string>;
  /** Those that name a place of a document that is part of the contract anyway. */
  readonly named: ReadonlySet<string>;
}

/** Returns every reference to another document in a document. */
export function referencesIn(root: Json): References {
  const followed = new Set<string>();
  const named = new Set<string>();
  const open: { readonly value: Json; readonly path: readonly string[] }[] = [
    { value: root, path: [] },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries<Json>(value as Readonly<Record<string, Json>>)) {
      if (isData(name, path)) continue;
      if (typeof member !== 'string') open.push({ value: member, path: [...path.slice(-1), name] });
      else if (!member.startsWith('#') && isReference(name, member, path))
        (name === '$ref' ? followed : named).add(member);
    }
  }
  return { followed, named };
}

/**
 * Returns whether the text of a member is a reference.
 * @param path the names of the members that lead to its object, or the last two of them
 */
function isReference(name: string, text: string, path: readonly string[]): boolean {
  if (name === '$ref' || name === 'operationRef') return true;
  return path.at(-1) === 'mapping' && path.at(-2) === 'discriminator' && !isSchemaName(text);
}

/**
 * Returns whether the value of a member is data. The value of an example is data; the example itself can be a reference.
 * @param path the names of the members that lead to its object, or the last two of them
 */
function isData(name: string, path: readonly string[]): boolean {
  return dataMembers.has(name) || (name === 'value' && path.at(-2) === 'examples');
}

/**
 * Returns a text in YAML or JSON with other references. Everything else in it stays as it is.
 * @param changes what replaces a reference, by the reference as it is written
 */
export function replaceReferences(text: string, changes: ReadonlyMap<string, string>): string {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', merge: true });
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  visit(document, {
    Pair(_, { key, value }, path) {
      if (!isScalar(key)) return undefined;
      const above = path.filter((node) => isPair(node)).map((pair) => nameOf(pair.key));
      if (isData(nameOf(key), above)) return visit.SKIP;
      if (!isScalar(value) || !isReference(nameOf(key), String(value.value), above))
        return undefined;
      const replacement = changes.get(String(value.value));
      const [from, to] = value.range ?? [];
      if (replacement === undefined || from === undefined || to === undefined) return undefined;
      const isBlock = value.type === Scalar.BLOCK_FOLDED || value.type === Scalar.BLOCK_LITERAL;
      edits.push({ from, to, text: `${JSON.stringify(replacement)}${isBlock ? '\n' : ''}` });
      return undefined;
    },
  });
  let result = '';
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return result + text.slice(done);
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

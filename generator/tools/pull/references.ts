import { isPair, isScalar, parseDocument, Scalar, visit } from 'yaml';
import { isJsonObject, type Json } from '../../json/json.ts';

/** Members whose values are data, in which nothing is a reference. */
const dataMembers: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'example',
  'x-invalid-examples',
]);

/** Returns every reference to another document in a document, as it is written. */
export function referencesIn(root: Json): readonly string[] {
  const references = new Set<string>();
  const open: { readonly value: Json; readonly path: readonly string[] }[] = [
    { value: root, path: [] },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value)) {
      const { $ref } = value;
      if (typeof $ref === 'string' && !$ref.startsWith('#')) references.add($ref);
    }
    for (const [name, member] of Object.entries<Json>(value as Readonly<Record<string, Json>>))
      if (!isData(name, path)) open.push({ value: member, path: [...path.slice(-1), name] });
  }
  return [...references];
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
      if (key.value !== '$ref' || !isScalar(value)) return undefined;
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

import { toEnumeration } from 'countersign/companion/contract';
import { toCanonical } from 'countersign/companion/values';
import type { Json, SchemaNode } from 'countersign/kit';
import { formatValue } from '../format-value.ts';
import type { SchemaDifference, SchemaPair } from './schema-pair.ts';

/** The keyword of an enumeration, and its values by canonical text. */
interface ListedValues {
  readonly keyword: 'enum' | 'x-extensible-enum';
  readonly values: ReadonlyMap<string, Json>;
}

/** Compares the values of enumerations, whether these are closed, and the names of the values in code. */
export function* compareEnumerations(pair: SchemaPair): Generator<SchemaDifference> {
  const [base, head] = [listedIn(pair.base), listedIn(pair.head)];
  const [wasClosed, isClosed] = [base?.keyword === 'enum', head?.keyword === 'enum'];
  if (wasClosed !== isClosed) {
    const code = isClosed
      ? base === undefined
        ? 'rule-added'
        : 'enum-closed'
      : head === undefined
        ? 'rule-removed'
        : 'enum-opened';
    const [words, list] = isClosed
      ? ['Only listed values are valid', head]
      : ['Values other than these are valid', base];
    const place = code === 'enum-opened' ? 'x-extensible-enum' : 'enum';
    yield pair.differ(code, `${words}: ${shown(list)}.`, place);
    if (base === undefined || head === undefined) return;
  }
  const place = head?.keyword ?? base?.keyword ?? 'enum';
  const kind = wasClosed && isClosed ? 'enum-value' : 'known-value';
  for (const [key, value] of head?.values ?? []) {
    if (base?.values.has(key) !== true)
      yield pair.differ(`${kind}-added`, `${formatValue(value)} was added.`, place);
  }
  for (const [key, value] of base?.values ?? []) {
    if (head?.values.has(key) !== true)
      yield pair.differ(`${kind}-removed`, `${formatValue(value)} was removed.`, place);
  }
  yield* compareNames(pair);
}

function* compareNames(pair: SchemaPair): Generator<SchemaDifference> {
  const [before = [], after = []] = [pair.base, pair.head].map(
    ({ keywords }) => toEnumeration(keywords)?.members,
  );
  const current = Map.groupBy(after, ({ value }) => value);
  for (const { value, name } of before) {
    const names = current.get(value)?.map((member) => member.name);
    if (names === undefined || names.includes(name)) continue;
    const shownNames = names.map(formatValue).join(' or ');
    const message = `The name of ${formatValue(value)} was ${formatValue(name)} and is ${shownNames}.`;
    yield pair.differ('enum-name-changed', message, 'x-enum-varnames');
  }
}

function listedIn(schema: SchemaNode): ListedValues | undefined {
  for (const keyword of ['enum', 'x-extensible-enum'] as const) {
    const list = schema.list(keyword);
    if (list !== undefined)
      return { keyword, values: new Map(list.map((value) => [toCanonical(value), value])) };
  }
  return undefined;
}

function shown(list: ListedValues | undefined): string {
  return [...(list?.values.values() ?? [])].slice(0, 10).map(formatValue).join(', ');
}

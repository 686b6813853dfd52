import { toEnumeration } from '../../../contract/lower/enumerations.ts';
import type { Json, JsonObject } from '../../../json/json.ts';
import type { Pair } from './pair.ts';
import { toCanonical } from '../../../json/same-json.ts';
import type { SchemaDifference } from './schema-difference.ts';
import { formatValue } from '../format-value.ts';

/** The keyword and the values of an enumeration, by canonical text. */
interface Listed {
  readonly keyword: 'enum' | 'x-extensible-enum';
  readonly values: ReadonlyMap<string, Json>;
}

/** Compares the values of enumerations, whether these are closed, and the names of the values in code. */
export function* compareEnumerations(pair: Pair): Generator<SchemaDifference> {
  const [base, head] = [listedIn(pair.base), listedIn(pair.head)];
  if (base === undefined && head === undefined) return;
  if (head?.keyword === 'enum' && base === undefined) {
    yield pair.say('rule-added', `Only listed values are valid: ${shown(head)}.`, 'enum');
    return;
  }
  if (base?.keyword === 'enum' && head === undefined) {
    yield pair.say('rule-removed', `Values other than these are valid: ${shown(base)}.`, 'enum');
    return;
  }
  if (base?.keyword === 'enum' && head?.keyword !== 'enum')
    yield pair.say(
      'enum-opened',
      `Values other than these are valid: ${shown(base)}.`,
      'x-extensible-enum',
    );
  if (base !== undefined && base.keyword !== 'enum' && head?.keyword === 'enum')
    yield pair.say('enum-closed', `Only listed values are valid: ${shown(head)}.`, 'enum');
  const closed = base?.keyword === 'enum' && head?.keyword === 'enum';
  const place = head?.keyword ?? base?.keyword ?? 'enum';
  for (const [key, value] of head?.values ?? []) {
    if (base?.values.has(key) === true) continue;
    const code = closed ? 'enum-value-added' : 'known-value-added';
    yield pair.say(code, `${formatValue(value)} was added.`, place);
  }
  for (const [key, value] of base?.values ?? []) {
    if (head?.values.has(key) === true) continue;
    const code = closed ? 'enum-value-removed' : 'known-value-removed';
    yield pair.say(code, `${formatValue(value)} was removed.`, place);
  }
  yield* compareNames(pair);
}

function* compareNames(pair: Pair): Generator<SchemaDifference> {
  const before = new Map(
    toEnumeration(pair.base)?.members.map(({ value, name }) => [value, name]) ?? [],
  );
  for (const { value, name } of toEnumeration(pair.head)?.members ?? []) {
    const old = before.get(value);
    if (old !== undefined && old !== name) {
      const message = `${formatValue(value)} was named ${formatValue(old)} and is named ${formatValue(name)}.`;
      yield pair.say('enum-name-changed', message, 'x-enum-varnames');
    }
  }
}

function listedIn(schema: JsonObject): Listed | undefined {
  for (const keyword of ['enum', 'x-extensible-enum'] as const) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    const values = list as readonly Json[];
    return { keyword, values: new Map(values.map((value) => [toCanonical(value), value])) };
  }
  return undefined;
}

function shown({ values }: Listed): string {
  return [...values.values()].slice(0, 10).map(formatValue).join(', ');
}

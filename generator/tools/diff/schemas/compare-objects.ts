import { type Json, type JsonObject, isJsonObject } from '../../../json/json.ts';
import type { Pair } from './pair.ts';
import type { SchemaDifference } from './schema-difference.ts';

/** Compares the members of objects and the items of arrays. */
export function* compareObjects(pair: Pair): Generator<SchemaDifference> {
  yield* compareMembers(pair);
  yield* compareRest(pair, 'additionalProperties', 'members');
  yield* compareRest(pair, 'items', 'elements');
  yield* comparePrefix(pair);
}

function* compareMembers(pair: Pair): Generator<SchemaDifference> {
  const { base, head } = pair;
  const [was, is] = [membersOf(base), membersOf(head)];
  const [needed, needs] = [requiredOf(base), requiredOf(head)];
  for (const [name, member] of is) {
    if (!was.has(name)) {
      const place = ['properties', name];
      yield needs.has(name)
        ? pair.say('required-member-added', `\`${name}\` was added and is required.`, ...place)
        : pair.say('optional-member-added', `\`${name}\` was added and is optional.`, ...place);
      if (base['additionalProperties'] === false)
        yield pair.say('member-admitted', `\`${name}\` was refused before.`, ...place);
      continue;
    }
    const steps = ['properties', name];
    yield* pair.into(was.get(name), member, { base: steps, head: steps, member: name });
  }
  for (const name of was.keys()) {
    if (!is.has(name))
      yield pair.say('member-removed', `\`${name}\` was removed.`, 'properties', name);
  }
  for (const name of new Set([...needed, ...needs])) {
    if (was.has(name) !== is.has(name) || needed.has(name) === needs.has(name)) continue;
    const place = is.has(name) ? ['properties', name] : ['required'];
    yield needs.has(name)
      ? pair.say('member-required', `\`${name}\` is required now.`, ...place)
      : pair.say('member-optional', `\`${name}\` is optional now.`, ...place);
  }
}

/** Compares the keyword for members or items that are not listed individually. */
function* compareRest(
  pair: Pair,
  keyword: 'additionalProperties' | 'items',
  what: string,
): Generator<SchemaDifference> {
  const [was, is] = [pair.base[keyword] ?? true, pair.head[keyword] ?? true];
  if (was === is) return;
  if (isJsonObject(was) && isJsonObject(is)) {
    yield* pair.into(was, is, { base: [keyword], head: [keyword], member: '*' });
    return;
  }
  const tightened = is === false || (was === true && isJsonObject(is));
  yield tightened
    ? pair.say('rule-added', `Fewer other ${what} pass: see \`${keyword}\`.`, keyword)
    : pair.say('rule-removed', `More other ${what} pass: see \`${keyword}\`.`, keyword);
}

function* comparePrefix(pair: Pair): Generator<SchemaDifference> {
  const keyword = 'prefixItems';
  const [was, is] = [listOf(pair.base[keyword]), listOf(pair.head[keyword])];
  for (const [index, item] of is.entries()) {
    if (index >= was.length) continue;
    const steps = [keyword, index];
    yield* pair.into(was[index], item, { base: steps, head: steps, member: String(index) });
  }
  if (was.length < is.length)
    yield pair.say(
      'rule-added',
      `Elements from ${was.length} on have rules of their own.`,
      keyword,
    );
  if (was.length > is.length)
    yield pair.say(
      'rule-removed',
      `Elements from ${is.length} on have no rules any more.`,
      keyword,
    );
}

function membersOf(schema: JsonObject): ReadonlyMap<string, Json | undefined> {
  const members = schema['properties'];
  return new Map(isJsonObject(members) ? Object.entries(members) : []);
}

function requiredOf(schema: JsonObject): ReadonlySet<string> {
  return new Set(listOf(schema['required']).filter((name) => typeof name === 'string'));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

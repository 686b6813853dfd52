import { isSchema } from 'countersign/companion/contract';
import { isJsonObject } from 'countersign/companion/values';
import type { SchemaDifference, SchemaPair } from './schema-pair.ts';

/** Compares the members of objects and the items of arrays. */
export function* compareMembers(pair: SchemaPair): Generator<SchemaDifference> {
  yield* compareProperties(pair);
  yield* compareRest(pair, 'additionalProperties', 'members');
  yield* compareRest(pair, 'items', 'elements');
  yield* comparePrefix(pair);
}

function* compareProperties(pair: SchemaPair): Generator<SchemaDifference> {
  const { base, head } = pair;
  const [was, is] = [new Map(base.properties), new Map(head.properties)];
  const [wasRequired, isRequired] = [new Set(base.required), new Set(head.required)];
  for (const [name, member] of is) {
    const path = ['properties', name];
    const before = was.get(name);
    if (before !== undefined) {
      yield* pair.compare(before, member, { base: path, head: path, member: name });
      continue;
    }
    yield isRequired.has(name)
      ? pair.differ('required-member-added', `\`${name}\` was added and is required.`, ...path)
      : pair.differ('optional-member-added', `\`${name}\` was added and is optional.`, ...path);
    if (base.schema('additionalProperties') === false)
      yield pair.differ('member-admitted', `\`${name}\` was refused before.`, ...path);
  }
  for (const name of was.keys()) {
    if (!is.has(name))
      yield pair.differ('member-removed', `\`${name}\` was removed.`, 'properties', name);
  }
  for (const name of new Set([...wasRequired, ...isRequired])) {
    if (was.has(name) !== is.has(name) || wasRequired.has(name) === isRequired.has(name)) continue;
    const path = is.has(name) ? ['properties', name] : ['required'];
    yield isRequired.has(name)
      ? pair.differ('member-required', `\`${name}\` is required now.`, ...path)
      : pair.differ('member-optional', `\`${name}\` is optional now.`, ...path);
  }
}

/** Compares the keyword for members or items that are not listed individually. */
function* compareRest(
  pair: SchemaPair,
  keyword: 'additionalProperties' | 'items',
  what: string,
): Generator<SchemaDifference> {
  const [was = true, is = true] = [pair.base.schema(keyword), pair.head.schema(keyword)];
  if (was === is) return;
  if (isJsonObject(was) && isJsonObject(is)) {
    yield* pair.compare(was, is, { base: [keyword], head: [keyword], member: '*' });
    return;
  }
  const isTighter = is === false || was === true;
  yield isTighter
    ? pair.differ('rule-added', `\`${keyword}\` allows fewer other ${what}.`, keyword)
    : pair.differ('rule-removed', `\`${keyword}\` allows more other ${what}.`, keyword);
}

function* comparePrefix(pair: SchemaPair): Generator<SchemaDifference> {
  const keyword = 'prefixItems';
  const [was, is] = [pair.base.list(keyword) ?? [], pair.head.list(keyword) ?? []];
  for (const [index, item] of is.entries()) {
    const before = was[index];
    if (!isSchema(before) || !isSchema(item)) continue;
    const path = [keyword, index];
    yield* pair.compare(before, item, { base: path, head: path, member: String(index) });
  }
  if (was.length < is.length)
    yield pair.differ('rule-added', `Elements from ${was.length} on have own schemas.`, keyword);
  if (was.length > is.length)
    yield pair.differ('rule-removed', `Elements from ${is.length} on have no schemas.`, keyword);
}

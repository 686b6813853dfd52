import { indexSchemas, toReference } from 'countersign/companion/contract';
import { walk } from 'countersign/companion/project';
import { Cursor, isSameJson, pointerMembers, toCanonical } from 'countersign/companion/values';
import type { Pointer, Schema, Variant } from 'countersign';
import type { Contract, Json } from 'countersign/kit';
import {
  changesAt,
  type Comparison,
  type ContractChange,
  inBoth,
  isBreaking,
  type Role,
  type SchemaUse,
} from './change.ts';
import { componentAt } from './component-at.ts';
import { diffItems, diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { formatValue } from './format-value.ts';
import type { NamePair, UsedDifference } from './schemas/compare-schemas.ts';
import type { Part, Place } from './schemas/place.ts';
import { isWrittenInPlace } from './lost-uses.ts';
import { rolesOfSchemas } from './usage.ts';

/** The schema of a body or a parameter: the name of a schema, or the schema itself. */
export interface UsedSchema {
  readonly schema: Part['schema'];
  /** Where it is used; a difference is located in the schema that has it. */
  readonly pointer: Pointer;
}

/** Returns the schema of a body; every value is valid without one. */
export function schemaNamed(name: string | undefined, pointer: Pointer): UsedSchema {
  return { schema: name === undefined ? true : toReference(name), pointer };
}

/** Compares two schemas that are sent or read. `diffSchemas` yields their changes, with all uses of each. */
export function useSchemas(
  { schemas }: Comparison,
  base: UsedSchema,
  head: UsedSchema,
  use: SchemaUse,
  isText = false,
): void {
  const partOf = ({ schema, pointer }: UsedSchema): Part => ({
    schema,
    at: { pointer, owner: '', path: '' },
  });
  schemas.add(partOf(base), partOf(head), use, isText);
}

/**
 * Yields the changes of schemas, each once with everything that uses it, and of their names. Call it after everything
 * that calls `useSchemas`.
 */
export function* diffSchemas(contracts: Comparison): Generator<ContractChange> {
  const { base, head, schemas } = contracts;
  const inBoth = pairBy(base.schemas.filter(isComponent), head.schemas.filter(isComponent), nameOf);
  const renamed = findRenamed(contracts, inBoth.removed, inBoth.added);
  const reached = new Set(schemas.names.map(([name]) => name));
  for (const [was, is] of [...inBoth.pairs, ...renamed]) {
    if (reached.has(was.name)) continue;
    const subject = subjectOf(is);
    useSchemas(contracts, schemaNamed(was.name, was.pointer), schemaNamed(is.name, is.pointer), {
      role: 'type',
      by: subject,
      part: subject,
    });
  }
  const rolesOf = createRolesOf(contracts);
  yield* diffNames(contracts, renamed, rolesOf);
  const isRenamed = new Set(renamed.flat());
  yield* diffItems(
    inBoth.removed.filter((schema) => !isRenamed.has(schema)),
    inBoth.added.filter((schema) => !isRenamed.has(schema)),
    { keyOf: nameOf, subjectOf, rolesOf, codes: ['schema-added', 'schema-removed'] },
  );
  yield* diffGuards(contracts, [...inBoth.pairs, ...renamed]);
  const isSame = createIsSame(renamed);
  for (const difference of schemas.differences()) yield toChange(difference, isSame);
  const [before, after] = [indexSchemas(base), indexSchemas(head)];
  for (const [was, is] of schemas.names) {
    const [baseSchema, headSchema] = [before.get(was), after.get(is)];
    if (baseSchema !== undefined && headSchema !== undefined)
      yield* diffVariants(baseSchema, headSchema, rolesOf(headSchema));
  }
}

function createRolesOf({ base, head }: Comparison): (schema: Schema) => ReadonlySet<Role> {
  const [was, is] = [rolesOfSchemas(base), rolesOfSchemas(head)];
  return ({ name }) => {
    const roles = new Set([...(was.get(name) ?? []), ...(is.get(name) ?? [])]);
    return roles.size > 0 ? roles : new Set(['type']);
  };
}

/** Returns what tells whether two subjects are one thing: the same in both contracts, or renamed. */
function createIsSame(renamed: readonly ItemPair<Schema>[]): (was: string, is: string) => boolean {
  const names = new Map(renamed.map(([was, is]) => [subjectOf(was), subjectOf(is)]));
  return (was, is) => was === is || names.get(was) === is;
}

/**
 * Returns the subject of a difference. If something refers to another schema than before, neither of the two has
 * changed: the subject then names both.
 */
function subjectOfDifference(
  { place, uses, between }: UsedDifference<SchemaUse>,
  isSame: (was: string, is: string) => boolean,
): string {
  const ownerAt = ({ owner, pointer }: Place): string =>
    owner || (componentAt(pointer) ?? uses[0]?.part ?? '');
  const own = ownerAt(place);
  const others = between && { base: ownerAt(between.base), head: ownerAt(between.head) };
  const isReplaced =
    others !== undefined &&
    between !== undefined &&
    [others.base, others.head].includes(own) &&
    isNamed(place) &&
    !isSame(others.base, others.head);
  if (!isReplaced) return place.path === '' ? own : `${own}, ${place.path}`;
  const [was, is] = [between.base.path, between.head.path];
  const common = commonEnd(was, is);
  const at = (owner: string, path: string): string => {
    const root = path.slice(0, path.length - common.length);
    return root === '' ? owner : `${owner}, ${root}`;
  };
  const both = `${at(others.head, is)} in the place of ${at(others.base, was)}`;
  const path = place.path.slice(at(own, '') === others.head ? is.length : was.length);
  return common + path === '' ? both : `${both}: ${common}${path}`;
}

/** Returns whether a place is in a component, whose name a subject is. */
function isNamed({ owner, pointer }: Place): boolean {
  return owner !== '' || componentAt(pointer) !== undefined;
}

/** Returns the end that two paths have in common, which begins with a slash. */
function commonEnd(first: string, second: string): string {
  const [names, others] = [first.split('/').slice(1), second.split('/').slice(1)];
  let count = 0;
  while (
    count < Math.min(names.length, others.length) &&
    names.at(-1 - count) === others.at(-1 - count)
  )
    count += 1;
  return names
    .slice(names.length - count)
    .map((name) => `/${name}`)
    .join('');
}

function toChange(
  difference: UsedDifference<SchemaUse>,
  isSame: (was: string, is: string) => boolean,
): ContractChange {
  const { code, message, member, side, place, uses, isDecided, counterpart } = difference;
  const effective = uses.filter(({ role }) => role !== 'type');
  const subject = subjectOfDifference(difference, isSame);
  const roles = effective.length > 0 ? effective : uses;
  const create = changesAt(
    { pointer: place.pointer, side, counterpart },
    subject,
    roles.map(({ role }) => role),
  );
  const created = create(code, message);
  const breaking = new Set(
    created.effects.filter((effect) => isBreaking({ effects: [effect] })).map(({ role }) => role),
  );
  // What the change breaks comes first: readers see the first.
  const broken = effective.filter(({ role }) => breaking.has(role));
  const change = {
    ...created,
    usedBy: [...new Set([...broken, ...effective].map(({ by }) => by))],
    ...(member === undefined ? {} : { member }),
  };
  return isDecided || !isBreaking(change) ? change : { ...change, undecided: true };
}

/** Returns the components that have another name, by their places in the contract or by their definitions. */
function findRenamed(
  { schemas }: Comparison,
  removed: readonly Schema[],
  added: readonly Schema[],
): readonly ItemPair<Schema>[] {
  const [gone, come] = [removed, added].map(
    (list) => new Map(list.map((schema) => [schema.name, schema])),
  ) as [Map<string, Schema>, Map<string, Schema>];
  const renamed: ItemPair<Schema>[] = [];
  const pair = (was: Schema | undefined, is: Schema | undefined): void => {
    if (was === undefined || is === undefined) return;
    renamed.push([was, is]);
    gone.delete(was.name);
    come.delete(is.name);
  };
  for (const [was, is] of schemas.names) pair(gone.get(was), come.get(is));
  for (const schema of gone.values())
    pair(
      schema,
      [...come.values()].find((other) => isSameJson(schema.definition, other.definition)),
    );
  return renamed;
}

/** Yields the schemas whose type, guard and validator have another name in code. */
function* diffNames(
  { base, head, schemas }: Comparison,
  renamed: readonly ItemPair<Schema>[],
  rolesOf: (schema: Schema) => ReadonlySet<Role>,
): Generator<ContractChange> {
  const [before, after] = [indexSchemas(base), indexSchemas(head)];
  const [typesBefore, typesAfter] = [writtenTypes(base), writtenTypes(head)];
  const pairs = new Set(schemas.names.map((pair) => toCanonical(pair)));
  // A type of that name can be another schema, such as a component that an inline schema gave way to.
  const isKept = (schema: Schema): boolean => {
    const now = typesAfter.get(schema.typeName);
    if (now === undefined) return false;
    const isSameComponent = isComponent(schema) && isComponent(now) && schema.name === now.name;
    return isSameComponent || pairs.has(toCanonical([schema.name, now.name]));
  };
  const inPlace = schemas.names.flatMap(([was, is]: NamePair): readonly ItemPair<Schema>[] => {
    const [baseSchema, headSchema] = [before.get(was), after.get(is)];
    if (baseSchema === undefined || headSchema === undefined) return [];
    if (!isWritten(baseSchema) || !isWritten(headSchema)) return [];
    // A definition inside a schema has no name of its own that code would use.
    if ([baseSchema, headSchema].some(isDefinition)) return [];
    const isMoved = !isKept(baseSchema) && !typesBefore.has(headSchema.typeName);
    return was === is || isMoved ? [[baseSchema, headSchema]] : [];
  });
  const told = new Set<string>();
  for (const [was, is] of [...renamed, ...inPlace]) {
    if (was.typeName === is.typeName || told.has(was.typeName)) continue;
    told.add(was.typeName);
    const message = `Its type was ${formatValue(was.typeName)} and is ${formatValue(is.typeName)}.`;
    yield changesAt(inBoth(was, is), subjectOf(was), rolesOf(is))('schema-renamed', message);
  }
}

/**
 * Yields the components that nothing has any longer, and that therefore have a type alone. What is written in place
 * where it was referred to is not told: the contract accepts the same as before.
 */
function* diffGuards(
  contracts: Comparison,
  pairs: readonly ItemPair<Schema>[],
): Generator<ContractChange> {
  for (const [was, is] of pairs) {
    if (was.isUnused === true || is.isUnused !== true || isWrittenInPlace(was, contracts)) continue;
    const message = 'No call, notification or message has it any longer.';
    yield changesAt(inBoth(was, is), subjectOf(is), ['type'])('guards-removed', message);
  }
}

/** Returns whether a schema is written in the definitions of another one. */
function isDefinition({ pointer }: Schema): boolean {
  return pointerMembers(pointer).some((member) => member === '$defs' || member === 'definitions');
}

function* diffVariants(
  base: Schema,
  head: Schema,
  roles: ReadonlySet<Role>,
): Generator<ContractChange> {
  const subjectOfVariant = ({ name }: ComparedVariant): string =>
    `${subjectOf(head)}, variant ${name}`;
  // The variants of a member that only one of the schemas has come and go with the member, which is a change.
  const [ofBase, ofHead] = [variantsOf(base, membersOf(head)), variantsOf(head, membersOf(base))];
  const pairs = yield* diffItems(ofBase, ofHead, {
    keyOf: ({ name }) => name,
    subjectOf: subjectOfVariant,
    rolesOf: () => roles,
    codes: ['variant-added', 'variant-removed'],
  });
  for (const [baseVariant, headVariant] of pairs) {
    const create = changesAt(
      inBoth(baseVariant, headVariant),
      subjectOfVariant(headVariant),
      roles,
    );
    const members = (['when', 'each', 'as', 'rename', 'schema'] as const).map(
      (member) =>
        ['variant-changed', `\`${member}\``, baseVariant[member], headVariant[member]] as const,
    );
    yield* diffValues(create, members);
  }
}

/** A wire variant, or a value that stands for a missing member. */
type ComparedVariant = Partial<Omit<Variant, 'schema'>> &
  Pick<Variant, 'name' | 'pointer'> & { readonly schema?: Json | undefined };

/**
 * Returns the wire variants of a schema, and the values that stand for missing members, by the member's path.
 * @param paths the paths whose members count
 */
function variantsOf(schema: Schema, paths: ReadonlySet<string>): readonly ComparedVariant[] {
  const ofMembers = [...placesOf(schema)]
    .filter(([path]) => paths.has(path))
    .flatMap(([path, place]) =>
      place.entries('x-variants').map(([name, variant]) => ({
        name: `${path}/${name}`,
        pointer: variant.pointer,
        schema: variant.valueIn('schema'),
      })),
    );
  return [...schema.variants.map((variant) => ({ ...variant, schema: undefined })), ...ofMembers];
}

function membersOf(schema: Schema): ReadonlySet<string> {
  return new Set(placesOf(schema).keys());
}

/** Returns the schemas within a schema by their paths. */
function placesOf({ definition, pointer }: Schema): ReadonlyMap<string, Cursor> {
  const within = [...walk(new Cursor({}, pointer, definition), 'schema')].slice(1);
  return new Map(within.map((place) => [place.pointer.slice(pointer.length + 1), place]));
}

/** Returns the schemas that a document contains, by their types in code. */
function writtenTypes({ schemas }: Contract): ReadonlyMap<string, Schema> {
  return new Map(schemas.filter(isWritten).map((schema) => [schema.typeName, schema]));
}

function isWritten({ origin }: Schema): boolean {
  return origin === 'component' || origin === 'inline';
}

/** Returns whether the schema is a named component. An inline schema is added and removed with its parent. */
function isComponent({ origin }: Schema): boolean {
  return origin === 'component';
}

function nameOf({ name }: Schema): string {
  return name;
}

function subjectOf({ name }: Schema): string {
  return `schema ${name}`;
}

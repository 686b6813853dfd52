import { indexSchemas, toReference } from 'countersign/companion/contract';
import { walk } from 'countersign/companion/project';
import { Cursor, isSameJson } from 'countersign/companion/values';
import type { JsonSchema, Pointer, Schema, Variant } from 'countersign';
import type { Contract, Json } from 'countersign/kit';
import { changesAt, type ContractChange, type ContractPair, type Role } from './change.ts';
import { diffItems, diffValues, type ItemPair, pairBy } from './diff-items.ts';
import { formatValue } from './format-value.ts';
import { compareSchemas } from './schemas/compare-schemas.ts';
import { rolesOfSchemas } from './usage.ts';

/** Yields the changes of named schemas, each once, with all roles that use the schema. */
export function* diffSchemas(contracts: ContractPair): Generator<ContractChange> {
  const [was, is] = [rolesOfSchemas(contracts.base), rolesOfSchemas(contracts.head)];
  const rolesOf = ({ name }: Schema): ReadonlySet<Role> => {
    const roles = new Set([...(was.get(name) ?? []), ...(is.get(name) ?? [])]);
    return roles.size > 0 ? roles : new Set(['type']);
  };
  const { pairs, added, removed } = pairBy(
    schemasOf(contracts.base),
    schemasOf(contracts.head),
    ({ name }) => name,
  );
  const renamed = findRenamed(removed.filter(isComponent), added.filter(isComponent));
  for (const [baseSchema, headSchema] of renamed)
    yield changesAt(
      headSchema.pointer,
      subjectOf(baseSchema),
      rolesOf(headSchema),
    )('schema-renamed', `It is named ${formatValue(headSchema.name)} now.`);
  const isRenamed = new Set(renamed.flat());
  const isLeft = (schema: Schema): boolean => isComponent(schema) && !isRenamed.has(schema);
  yield* diffItems(removed.filter(isLeft), added.filter(isLeft), {
    keyOf: ({ name }) => name,
    subjectOf,
    rolesOf,
    codes: ['schema-added', 'schema-removed'],
  });
  const [before, after] = [requestForms(contracts.base), requestForms(contracts.head)];
  for (const [base, head] of pairs) {
    const forms = [before.get(base.name), after.get(head.name)] as const;
    yield* diffForms(base, head, forms, contracts, rolesOf(head));
    yield* diffVariants(base, head, rolesOf(head));
  }
}

/**
 * Yields the changes between two schemas. If one of them has a derived schema for requests, the role `request` has the
 * changes of that schema. A change of both is one change with the effects on all roles.
 */
function* diffForms(
  base: Schema,
  head: Schema,
  [before, after]: readonly [base: Schema | undefined, head: Schema | undefined],
  contracts: ContractPair,
  roles: ReadonlySet<Role>,
): Generator<ContractChange> {
  const subject = subjectOf(head);
  if (before === undefined && after === undefined) {
    yield* diffDefinitions(base, head, contracts, subject, roles);
    return;
  }
  const received = new Set([...roles].filter((role) => role !== 'request'));
  const inRequests = [
    ...diffDefinitions(before ?? base, after ?? head, contracts, subject, ['request']),
  ];
  for (const change of diffDefinitions(base, head, contracts, subject, received)) {
    const twin = inRequests.findIndex(
      ({ code, subject: path, message }) =>
        code === change.code && path === change.subject && message === change.message,
    );
    const [same] = twin < 0 ? [] : inRequests.splice(twin, 1);
    yield { ...change, effects: [...(same?.effects ?? []), ...change.effects] };
  }
  yield* inRequests;
}

/** Returns the derived schemas for requests, by the name of the schema that they are derived from. */
function requestForms({ schemas }: Contract): ReadonlyMap<string | undefined, Schema> {
  const derived = schemas.filter(({ origin }) => origin === 'request');
  return new Map(derived.map((schema) => [schema.variantOf, schema]));
}

/** Pairs each removed schema with an added one that has the same definition. */
function findRenamed(
  removed: readonly Schema[],
  added: readonly Schema[],
): readonly ItemPair<Schema>[] {
  const left = new Set(added);
  return removed.flatMap((schema) => {
    const twin = [...left].find((other) => isSameJson(schema.definition, other.definition));
    if (twin === undefined) return [];
    left.delete(twin);
    return [[schema, twin] as const];
  });
}

/** Yields the changes between two schemas, named or inline. */
export function* diffDefinitions(
  base: { readonly definition: JsonSchema; readonly pointer: Pointer },
  head: { readonly definition: JsonSchema; readonly pointer: Pointer },
  contracts: ContractPair,
  subject: string,
  roles: Iterable<Role>,
): Generator<ContractChange> {
  const differences = compareSchemas(
    { definition: base.definition, pointer: base.pointer, schemas: indexSchemas(contracts.base) },
    { definition: head.definition, pointer: head.pointer, schemas: indexSchemas(contracts.head) },
  );
  for (const { code, message, path, side, pointer } of differences) {
    const where = path === '' ? subject : `${subject}, ${path}`;
    yield changesAt(pointer, where, roles, side)(code, message);
  }
}

/** Yields the changes of a body whose schema has another name. `diffSchemas` compares schemas of the same name. */
export function* diffBodies(
  base: { readonly pointer: Pointer },
  head: { readonly pointer: Pointer },
  baseName: string | undefined,
  headName: string | undefined,
  contracts: ContractPair,
  subject: string,
  roles: Iterable<Role>,
): Generator<ContractChange> {
  if (writtenName(contracts.base, baseName) === writtenName(contracts.head, headName)) return;
  const [baseDefinition, headDefinition] = [baseName, headName].map((name) =>
    name === undefined ? true : toReference(name),
  );
  yield* diffDefinitions(
    { definition: baseDefinition ?? true, pointer: base.pointer },
    { definition: headDefinition ?? true, pointer: head.pointer },
    contracts,
    subject,
    roles,
  );
}

/** Returns the name of a schema in its contract, which a derived schema for requests shares. */
function writtenName(contract: Contract, name: string | undefined): string | undefined {
  const schema = name === undefined ? undefined : indexSchemas(contract).get(name);
  return schema?.origin === 'request' ? schema.variantOf : name;
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
    const create = changesAt(headVariant.pointer, subjectOfVariant(headVariant), roles);
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

/** Returns the written schemas, without those of notification headers, which are compared header by header. */
function schemasOf({ schemas, notifications }: Contract): readonly Schema[] {
  const headers = new Set(notifications.map(({ headersSchema }) => headersSchema));
  return schemas.filter((schema) => {
    const isOfHeaders = schema.origin === 'inline' && headers.has(schema.name);
    return isWritten(schema) && !isOfHeaders;
  });
}

function isWritten({ origin }: Schema): boolean {
  return origin === 'component' || origin === 'inline';
}

/** Returns whether the schema is a named component. An inline schema is added and removed with its parent. */
function isComponent({ origin }: Schema): boolean {
  return origin === 'component';
}

function subjectOf({ name }: Schema): string {
  return `schema ${name}`;
}

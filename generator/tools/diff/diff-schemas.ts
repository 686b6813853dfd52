import type { JsonSchema, Schema, Variant } from '../../schema/model.ts';
import { type SchemaIndex, indexSchemas } from '../../schema/references.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { ContractChange, Role } from './change.ts';
import { type ContractPair, createChange, pairBy } from './changes.ts';
import { compareSchemas } from './schemas/compare-schemas.ts';
import { isSameJson } from '../../json/same-json.ts';
import { rolesOfSchemas } from './usage.ts';
import { written } from './written.ts';

/** The schemas of both contracts, by name. */
export interface SchemaIndexes {
  readonly base: SchemaIndex;
  readonly head: SchemaIndex;
}

/** Indexes the schemas of both contracts. */
export function indexBoth({ base, head }: ContractPair): SchemaIndexes {
  return { base: indexSchemas(base), head: indexSchemas(head) };
}

/** Yields the changes of named schemas, each once, with all roles that use the schema. */
export function* diffSchemas(contracts: ContractPair): Generator<ContractChange> {
  const indexes = indexBoth(contracts);
  const [was, is] = [rolesOfSchemas(contracts.base), rolesOfSchemas(contracts.head)];
  const rolesOf = (name: string): ReadonlySet<Role> => {
    const roles = new Set([...(was.get(name) ?? []), ...(is.get(name) ?? [])]);
    return roles.size > 0 ? roles : new Set(['type']);
  };
  const { pairs, added, removed } = pairBy(
    contracts.base.schemas.filter(isWritten),
    contracts.head.schemas.filter(isWritten),
    ({ name }) => name,
  );
  const renamed = new Set<Schema>();
  for (const schema of removed.filter(isNamed)) {
    const twin = added.find(
      (other) => isNamed(other) && !renamed.has(other) && isSame(schema, other),
    );
    const subject = `schema ${schema.name}`;
    if (twin === undefined) {
      const at = { side: 'base', pointer: schema.pointer } as const;
      yield createChange('schema-removed', at, subject, 'It is gone.', rolesOf(schema.name));
    } else {
      renamed.add(twin);
      const at = { side: 'head', pointer: twin.pointer } as const;
      const message = `It is called ${written(twin.name)} now.`;
      yield createChange('schema-renamed', at, subject, message, rolesOf(twin.name));
    }
  }
  for (const schema of added.filter(isNamed)) {
    if (renamed.has(schema)) continue;
    const at = { side: 'head', pointer: schema.pointer } as const;
    const subject = `schema ${schema.name}`;
    yield createChange('schema-added', at, subject, 'It is new.', rolesOf(schema.name));
  }
  for (const [base, head] of pairs) {
    const roles = rolesOf(head.name);
    yield* diffDefinitions(base, head, indexes, `schema ${head.name}`, roles);
    yield* diffVariants(base.variants, head.variants, `schema ${head.name}`, roles);
  }
}

/** Yields the changes between two schemas, named or inline. */
export function* diffDefinitions(
  base: { readonly definition: JsonSchema; readonly pointer: Pointer },
  head: { readonly definition: JsonSchema; readonly pointer: Pointer },
  indexes: SchemaIndexes,
  subject: string,
  roles: ReadonlySet<Role>,
): Generator<ContractChange> {
  const differences = compareSchemas(
    { definition: base.definition, pointer: base.pointer, schemas: indexes.base },
    { definition: head.definition, pointer: head.pointer, schemas: indexes.head },
  );
  for (const { code, message, path, ...at } of differences) {
    const where = path === '' ? subject : `${subject}, ${path}`;
    yield createChange(code, at, where, message, roles);
  }
}

function* diffVariants(
  base: readonly Variant[],
  head: readonly Variant[],
  subject: string,
  roles: ReadonlySet<Role>,
): Generator<ContractChange> {
  const { pairs, added, removed } = pairBy(base, head, ({ name }) => name);
  for (const { name, pointer } of added) {
    const at = { side: 'head', pointer } as const;
    yield createChange('variant-added', at, subject, `The form ${written(name)} is new.`, roles);
  }
  for (const { name, pointer } of removed) {
    const at = { side: 'base', pointer } as const;
    yield createChange('variant-removed', at, subject, `The form ${written(name)} is gone.`, roles);
  }
  for (const [one, other] of pairs) {
    for (const member of ['when', 'each', 'as', 'rename'] as const) {
      const [was, is] = [one[member], other[member]];
      if (isSameJson(was, is)) continue;
      const at = { side: 'head', pointer: other.pointer } as const;
      const change = `\`${member}\` of the form ${written(other.name)} was ${written(was)} and is ${written(is)}.`;
      yield createChange('variant-changed', at, subject, change, roles);
    }
  }
}

/** Returns whether the author wrote the schema. Derived schemas change with the schema that they are derived from. */
function isWritten({ origin }: Schema): boolean {
  return origin === 'component' || origin === 'inline';
}

/** Returns whether the schema is a named component. An inline schema is added and removed with its parent. */
function isNamed({ origin }: Schema): boolean {
  return origin === 'component';
}

function isSame(one: Schema, other: Schema): boolean {
  return isSameJson(one.definition, other.definition);
}

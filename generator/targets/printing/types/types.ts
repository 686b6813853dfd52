import { indexSchemas } from '../../../schema/references.ts';
import type { Contract } from '../../../contract/contract.ts';
import type { Schema } from '../../../schema/model.ts';
import { declaredMembersIn } from './declared-members.ts';
import { memberComment } from './member-comment.ts';
import { SchemaNotes } from './schema-notes.ts';
import { type TypeNames, writeType } from './type-text.ts';

/** The TypeScript type of a schema as text. */
export interface TypeText {
  readonly kind: 'interface' | 'alias';
  /** The body of the interface, braces included, or the aliased type. */
  readonly text: string;
  /** The types of other schemas and formats that the text refers to, sorted by code units. */
  readonly typeNames: readonly string[];
}

/** Writes the type of every schema that is not an enumeration, by the schema's name. */
export function typeSchemas(contract: Contract): ReadonlyMap<string, TypeText> {
  const schemas = contract.schemas.filter(({ enumeration }) => enumeration === undefined);
  return typeNamed(contract, schemas, '');
}

/**
 * Writes the types of schemas that need not belong to the contract but can refer to its schemas.
 * @param namespace a prefix for the names of the contract's types, such as `contract.`
 * @param files the types of files; without it, these are strings
 * @throws TypeError for a reference to a schema that the contract does not have
 */
export function typeNamed(
  contract: Contract,
  schemas: readonly (Pick<Schema, 'name' | 'definition'> & Partial<Schema>)[],
  namespace: string,
  files?: TypeNames['files'],
): ReadonlyMap<string, TypeText> {
  const index = indexSchemas(contract);
  const formats = new Map(
    (contract.formats ?? []).map(({ format, typeName }) => [format, typeName]),
  );
  const notes = new SchemaNotes(contract);
  const declaredBy = declaredMembersIn(index);
  return new Map(
    schemas.map(({ name, typeName: declaredType, definition }) => {
      const stated = new Set<string>();
      const { kind, text, uses } = writeType(definition, {
        commentOf: (member) =>
          memberComment(member, notes.ofMember(member), contract.info.sourceDocument, stated),
        typeNameOf(schemaName) {
          const schema = index.get(schemaName);
          if (schema === undefined)
            throw new TypeError(`The contract has no schema "${schemaName}".`);
          return namespace + schema.typeName;
        },
        declaredBy,
        enumeratedTypeOf(schemaName) {
          const base = index.get(schemaName)?.enumeration?.base;
          return base === 'integer' ? 'number' : base;
        },
        files,
        formatTypeOf(format) {
          const typeName = formats.get(format);
          return typeName === undefined ? undefined : namespace + typeName;
        },
      });
      const used = new Set(uses.map((typeName) => typeName.slice(namespace.length)));
      const typeNames = [...used].filter((typeName) => typeName !== declaredType).toSorted();
      return [name, { kind: kind === 'object' ? 'interface' : 'alias', text, typeNames }];
    }),
  );
}

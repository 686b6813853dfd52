import { indexSchemas } from '../../schema/json-schema.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Schema } from '../../schema/model.ts';
import { writeType } from './type-text.ts';

/** The type of a schema as TypeScript writes it. */
export interface TypeText {
  readonly kind: 'interface' | 'alias';
  /** The body of the interface, braces included, or the aliased type. */
  readonly text: string;
  /** Identifiers of the other schemas' types that it names, in order of code units. */
  readonly typeNames: readonly string[];
}

/** Types every schema that is no enumeration, by name. */
export function typeSchemas(contract: Contract): ReadonlyMap<string, TypeText> {
  const schemas = contract.schemas.filter(({ enumeration }) => enumeration === undefined);
  return typeNamed(contract, schemas, '');
}

/** The same for schemas besides the contract's; `namespace` stands before the names of the contract's types. */
export function typeNamed(
  contract: Contract,
  schemas: readonly Pick<Schema, 'name' | 'typeName' | 'definition'>[],
  namespace: string,
): ReadonlyMap<string, TypeText> {
  const index = indexSchemas(contract);
  const formats = new Map(
    (contract.formats ?? []).map(({ format, typeName }) => [format, typeName]),
  );
  return new Map(
    schemas.map(({ name, typeName: own, definition }) => {
      const { kind, text, uses } = writeType(definition, {
        sourceDocument: contract.info.sourceDocument,
        typeNameOf(schemaName) {
          const schema = index.get(schemaName);
          if (schema === undefined)
            throw new TypeError(`The contract has no schema "${schemaName}".`);
          return namespace + schema.typeName;
        },
        formatTypeOf(format) {
          const typeName = formats.get(format);
          return typeName === undefined ? undefined : namespace + typeName;
        },
      });
      const used = new Set(uses.map((typeName) => typeName.slice(namespace.length)));
      const typeNames = [...used].filter((typeName) => typeName !== own).toSorted();
      return [name, { kind: kind === 'object' ? 'interface' : 'alias', text, typeNames }];
    }),
  );
}

import type { Contract, Operation, Parameter } from '../../contract/contract.ts';
import { type SchemaIndex, indexSchemas, resolveSchema } from '../../schema/references.ts';
import type { JsonObject } from '../../json/json.ts';
import { SchemaNode } from '../../schema/node.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { isOfTypes } from '../../schema/declared-properties.ts';
import { kindOf } from '../../specification/media-type.ts';
import { groupSchema } from '../../contract/inputs.ts';

/** How the runtime reads a response header. */
export interface HeaderValue {
  /** The name of the runtime's decoder without the ending `Header`. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  /** Whether the decoder reads each item of a list instead of the whole text. */
  readonly isList: boolean;
  /** The schema of the decoded value. */
  readonly schema: JsonSchema;
}

/** Decides from its schema how a header is read. Anything but a scalar, a list of scalars or JSON stays text. */
export function headerValue(index: SchemaIndex, { schema, mediaType }: Parameter): HeaderValue {
  if (mediaType !== undefined && kindOf(mediaType) === 'json')
    return { kind: 'json', isList: false, schema };
  const scalar = kindOfScalar(index, schema);
  if (scalar !== undefined) return { kind: scalar, isList: false, schema };
  const resolved = new SchemaNode(resolveSchema(index, schema) ?? true);
  if (resolved.types?.join() === 'array') {
    const items = kindOfScalar(index, resolved.schema('items'));
    if (items !== undefined) return { kind: items, isList: true, schema };
  }
  return { kind: 'text', isList: false, schema: { type: 'string' } };
}

/**
 * Returns the headers of a response as the schema of an object; `undefined` where it declares none. Every header is
 * optional, because services leave out headers that they declare as required.
 */
export function headersSchema(
  contract: Contract,
  { headers }: Operation['responses'][number],
): JsonObject | undefined {
  if (headers.length === 0) return undefined;
  const index = indexSchemas(contract);
  return groupSchema(
    contract,
    headers.map((header) => ({
      ...header,
      schema: headerValue(index, header).schema,
      required: false,
    })),
  );
}

/** Returns the kind of a scalar schema. Ignores the type `null`, because a header cannot have that value. */
function kindOfScalar(
  index: SchemaIndex,
  schema: JsonSchema | undefined,
): 'text' | 'number' | 'boolean' | undefined {
  if (isOfTypes(index, schema, new Set(['string', 'null']))) return 'text';
  if (isOfTypes(index, schema, new Set(['number', 'integer', 'null']))) return 'number';
  return isOfTypes(index, schema, new Set(['boolean', 'null'])) ? 'boolean' : undefined;
}

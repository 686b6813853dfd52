import type { Operation, Parameter } from '../../contract/contract.ts';
import type { SchemaIndex } from '../../schema/json-schema.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import { isOfTypes, resolve } from './body-properties.ts';
import { kindOf } from './media-types.ts';
import { groupSchema } from './parameters.ts';

/** How the runtime reads a header: the name of its decoder without `Header`, for the whole text or for each item of a list. */
export interface HeaderValue {
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  readonly isList: boolean;
  /** The schema of what is read. */
  readonly schema: Json;
}

/** Decides how a header is read by its schema; what is neither a scalar nor a list of scalars stays a text. */
export function headerValue(index: SchemaIndex, { schema, mediaType }: Parameter): HeaderValue {
  if (mediaType !== undefined && kindOf(mediaType) === 'json')
    return { kind: 'json', isList: false, schema };
  const scalar = kindOfScalar(index, schema);
  if (scalar !== undefined) return { kind: scalar, isList: false, schema };
  const resolved = resolve(index, schema);
  if (isJsonObject(resolved) && resolved['type'] === 'array') {
    const items = kindOfScalar(index, resolved['items']);
    if (items !== undefined) return { kind: items, isList: true, schema };
  }
  return { kind: 'text', isList: false, schema: { type: 'string' } };
}

/** The headers of a response as the schema of an object; `undefined` where none is declared. Services leave headers out. */
export function headersSchema(
  index: SchemaIndex,
  { headers }: Operation['responses'][number],
): JsonObject | undefined {
  if (headers.length === 0) return undefined;
  return groupSchema(
    headers.map((header) => {
      const { schema } = headerValue(index, header);
      return {
        ...header,
        schema: isJsonObject(schema) || typeof schema === 'boolean' ? schema : true,
        required: false,
      };
    }),
  );
}

/** A header has no null, so that a schema which allows it says nothing about how the header is read. */
function kindOfScalar(
  index: SchemaIndex,
  schema: Json | undefined,
): 'text' | 'number' | 'boolean' | undefined {
  if (isOfTypes(index, schema, new Set(['string', 'null']))) return 'text';
  if (isOfTypes(index, schema, new Set(['number', 'integer', 'null']))) return 'number';
  return isOfTypes(index, schema, new Set(['boolean', 'null'])) ? 'boolean' : undefined;
}

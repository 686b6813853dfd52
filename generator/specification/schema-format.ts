import { parametersOf, typeOf } from './media-type.ts';

/** The format of a schema that is JSON Schema: whose dialect it is, and the version of it. */
export interface SchemaFormat {
  readonly of: 'asyncapi' | 'openapi' | 'json-schema';
  /** Empty if the format states none. */
  readonly version: string;
}

/** The media types of schema formats, without the suffix that states the syntax. */
const types: Readonly<Record<string, SchemaFormat['of']>> = {
  'application/vnd.aai.asyncapi': 'asyncapi',
  'application/vnd.oai.openapi': 'openapi',
  'application/schema': 'json-schema',
};

/** Reads a `schemaFormat`; `undefined` for Avro, RAML, Protocol Buffers and other formats. */
export function readSchemaFormat(schemaFormat: string): SchemaFormat | undefined {
  const type = typeOf(schemaFormat).replace(/\+[^+]*$/u, '');
  const of = Object.hasOwn(types, type) ? types[type] : undefined;
  const { version = '' } = parametersOf(schemaFormat);
  return of === undefined ? undefined : { of, version };
}

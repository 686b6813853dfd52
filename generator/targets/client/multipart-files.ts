import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { type SchemaIndex, toReference } from '../../schema/references.ts';
import { mapSubschemas } from '../../schema/visit.ts';
import {
  bodyProperties,
  isBinaryString,
  type BodyProperty,
} from '../../schema/declared-properties.ts';

/** The files of a multipart body. */
export interface MultipartFiles {
  /** The properties with files that every value can have, each with a schema without references to files. */
  readonly properties: readonly BodyProperty[];
  /**
   * The body without references to files, if alternatives or undeclared properties hold files. The type of the body is
   * then written from it.
   */
  readonly body: JsonSchema | undefined;
}

/** Finds the files of a multipart body: in its properties, in lists, and in alternatives of both. */
export function multipartFiles(index: SchemaIndex, schemaName: string): MultipartFiles {
  const body = inPlace(index, toReference(schemaName), bodyKeywords);
  if (body === undefined) return { properties: [], body };
  return {
    properties: bodyProperties(index, schemaName).flatMap((property) => {
      const schema = inPlace(index, property.schema, valueKeywords);
      return schema === undefined ? [] : [{ ...property, schema }];
    }),
    body: hasFilesElsewhere(index, body) ? body : undefined,
  };
}

/** The keywords by which a value can be a file, or a list of files. */
const valueKeywords: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'items'];

/** The keywords by which a body can have a property. */
const bodyKeywords: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/** Returns whether an alternative of a body, or a property that is not declared, holds files. */
function hasFilesElsewhere(index: SchemaIndex, body: JsonSchema): boolean {
  const node = new SchemaNode(body);
  const additionalSchema = node.schema('additionalProperties') ?? false;
  if (inPlace(index, additionalSchema, valueKeywords) !== undefined) return true;
  const alternatives = [...node.anyOf, ...node.oneOf];
  if (alternatives.some((part) => inPlace(index, part, bodyKeywords) !== undefined)) return true;
  return node.allOf.some((part) => hasFilesElsewhere(index, part));
}

/**
 * Returns a schema with the targets of references in place of those that lead to files; `undefined` for a schema without
 * files.
 * @param keywords the keywords whose schemas apply to the value: those of a body, or those of a property
 * @param results the results for other schemas; a reference to a schema that contains it leads to no files
 */
function inPlace(
  index: SchemaIndex,
  schema: JsonSchema,
  keywords: readonly string[],
  results: Map<JsonSchema, JsonSchema | undefined> = new Map(),
): JsonSchema | undefined {
  if (!isJsonObject(schema) || results.has(schema)) return results.get(schema);
  results.set(schema, undefined);
  const result = findInPlace(index, schema, keywords, results);
  results.set(schema, result);
  return result;
}

function findInPlace(
  index: SchemaIndex,
  schema: JsonObject,
  keywords: readonly string[],
  results: Map<JsonSchema, JsonSchema | undefined>,
): JsonSchema | undefined {
  const node = new SchemaNode(schema);
  if (keywords === valueKeywords && isBinaryString(node)) return schema;
  const replaced = inPlace(index, node.target(index) ?? true, keywords, results);
  let hasFiles = replaced !== undefined;
  const change = (part: JsonSchema, partKeywords: readonly string[]): JsonSchema => {
    const changed =
      partKeywords === keywords
        ? inPlace(index, part, keywords, results)
        : inPlace(index, part, partKeywords);
    hasFiles ||= changed !== undefined;
    return changed ?? part;
  };
  const mapped = mapSubschemas(schema, (part, keyword) => {
    if (keywords.includes(keyword)) return change(part, keywords);
    const isProperty = keyword === 'properties' || keyword === 'additionalProperties';
    return keywords === bodyKeywords && isProperty ? change(part, valueKeywords) : part;
  });
  if (!hasFiles) return undefined;
  if (replaced === undefined) return mapped;
  const { $ref: _, ...beside } = mapped;
  if (Object.keys(beside).length === 0) return replaced;
  return { ...beside, allOf: [replaced, ...new SchemaNode(beside).allOf] };
}

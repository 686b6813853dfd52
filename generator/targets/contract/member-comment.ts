import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { jsdoc, type Documentation } from '../jsdoc.ts';

/** Returns the comment above a member of a type, from the annotations of its schema; empty where it has none. */
export function memberComment(
  schema: Json | undefined,
  sourceDocument: string | undefined,
): string {
  return isJsonObject(schema) ? jsdoc(documentationOf(schema, sourceDocument)).text : '';
}

function documentationOf(schema: JsonObject, sourceDocument: string | undefined): Documentation {
  const itemText = isJsonObject(schema['items'])
    ? toText(schema['items']['description'])
    : undefined;
  const description = toText(schema['description']);
  return {
    summary: toText(schema['title']),
    description:
      itemText === undefined ? description : `${description ?? ''}\n\nItems: ${itemText}`,
    source: toSources(schema['x-source']),
    sourceDocument,
    deprecated: schema['deprecated'] === true,
    examples: Array.isArray(schema['examples']) ? (schema['examples'] as readonly Json[]) : [],
  };
}

function toText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function toSources(value: Json | undefined): readonly string[] {
  const sections = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return sections.filter((section) => typeof section === 'string');
}

import { memoize } from '../execution/memoize.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { objectsIn } from '../json/descend.ts';
import { Cursor } from '../json/cursor.ts';
import { type Pointer, pointerMembers, toMember } from '../json/pointer.ts';
import { readSchemaFormat } from './schema-format.ts';

/**
 * Returns the `schemaFormat` for the schema that an object has: for the `schema` of a Multi Format Schema Object, or for
 * the `payload` of an AsyncAPI 2 message. There, the last trait with a `schemaFormat` overrides the message.
 * @param root the document with the traits that the object refers to
 */
export function schemaFormatOf(holder: JsonObject, root: JsonObject): string | undefined {
  const { traits } = holder;
  const parts = [holder, ...(Array.isArray(traits) ? (traits as readonly Json[]) : [])];
  return parts
    .map((part) => new Cursor(root, 'asyncapi#', part).follow().text('schemaFormat'))
    .findLast((format) => format !== undefined);
}

/**
 * The formats of the schemas of an AsyncAPI document. A `schemaFormat` applies to the schema beside it, and to every
 * schema that it refers to, which does not have a format. A schema that is used with several formats has the first.
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0#multiFormatSchemaObject
 */
export class SchemaFormats {
  readonly #formats = new Map<Pointer, string>();

  constructor(root: JsonObject) {
    if (!hasFormats(root)) return;
    for (const at of Cursor.ofDocument(root, 'asyncapi').withDescendants()) {
      if (!isJsonObject(at.value)) continue;
      const format = schemaFormatOf(at.value, root);
      if (format === undefined || readSchemaFormat(format) === undefined) continue;
      for (const member of ['schema', 'payload']) this.#add(at.child(member), format);
    }
  }

  /** Returns the JSON Schema format of a schema or of the schema that contains a place; `undefined` for the default. */
  of(pointer: Pointer): string | undefined {
    if (this.#formats.size === 0) return undefined;
    let place: Pointer = 'asyncapi#';
    let format = this.#formats.get(place);
    for (const member of pointerMembers(pointer)) {
      place = toMember(place, member);
      format = this.#formats.get(place) ?? format;
    }
    return format;
  }

  #add(start: Cursor, format: string): void {
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.value === undefined || this.#formats.has(next.pointer)) continue;
      this.#formats.set(next.pointer, format);
      for (const at of next.withDescendants()) {
        if (at.localReference !== undefined) open.push(at.lookUp(at.localReference));
      }
    }
  }
}

/** The formats of the schemas of each document. */
export const formatsIn: (root: JsonObject) => SchemaFormats = memoize(
  (root: JsonObject) => new SchemaFormats(root),
);

function hasFormats(root: JsonObject): boolean {
  for (const { schemaFormat } of objectsIn(root)) if (typeof schemaFormat === 'string') return true;
  return false;
}

import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Cursor } from '../json/cursor.ts';
import { unstatedReference } from '../contract/lower/vocabulary.ts';

/** A value of the vocabulary that refers to a ledger entry with `{ unstated: <id> }`. */
export interface UnstatedUse {
  readonly id: string;
  readonly at: Cursor;
  /** The schema that every choice of the entry has to match. */
  readonly schema: object;
}

/** Returns every `{ unstated: <id> }` in a value of the vocabulary. Follows the schema of its key. */
export function unstatedUses(schema: object, at: Cursor): readonly UnstatedUse[] {
  const rule = schema as JsonObject;
  if (rule['then'] === (unstatedReference as Json)) {
    const id = isJsonObject(at.value) ? at.text('unstated') : undefined;
    const stated = rule['else'];
    if (!isJsonObject(stated)) return [];
    return id === undefined ? unstatedUses(stated, at) : [{ id, at, schema: stated }];
  }
  return [...branches(rule), rule].flatMap((part) => [
    ...inMembers(part, at),
    ...inItems(part, at),
  ]);
}

function branches(rule: JsonObject): readonly JsonObject[] {
  return [rule['then'], rule['else']].filter(isJsonObject);
}

function inMembers(rule: JsonObject, at: Cursor): readonly UnstatedUse[] {
  const { properties } = rule;
  if (!isJsonObject(properties)) return [];
  return at.entries().flatMap(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isJsonObject(schema) ? unstatedUses(schema, member) : [];
  });
}

function inItems(rule: JsonObject, at: Cursor): readonly UnstatedUse[] {
  const schema = rule['items'];
  return isJsonObject(schema) ? at.items().flatMap((item) => unstatedUses(schema, item)) : [];
}

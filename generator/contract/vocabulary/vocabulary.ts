import { childOf, objectsIn, referenceOf } from '../../json/descend.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';
import schema from './schema.json' with { type: 'json' };

/**
 * Where a key of the vocabulary may be. `anywhere` is any object of the document that allows extensions. `parameter`
 * and `operation` are OpenAPI's. `message` is an AsyncAPI message, or the OpenAPI operation that describes one.
 */
export type ExtensionPlace =
  | 'document'
  | 'info'
  | 'components'
  | 'anywhere'
  | 'security-scheme'
  | 'parameter'
  | 'operation'
  | 'schema'
  | 'message';

/** The objects that can have a key, in words. */
export const placeWords: Readonly<Record<ExtensionPlace, string>> = {
  document: 'the document',
  info: '`info`',
  components: '`components`',
  anywhere: 'any object',
  'security-scheme': 'a security scheme',
  parameter: 'a parameter of OpenAPI',
  operation: 'an operation of OpenAPI',
  schema: 'a schema',
  message: 'a message or webhook',
};

export interface ExtensionDefinition {
  readonly places: readonly ExtensionPlace[];
  /** The reference to the schema of its values, such as `#/properties/x-source`. */
  readonly reference: string;
}

/** The JSON Schema (2020-12) of all keys. Only documents with `x-countersign: 1` are checked against it. */
export const vocabularySchema: JsonObject = schema;

/** Every `x-` key that a document with `x-countersign: 1` may use. */
export const vocabulary: Readonly<Record<string, ExtensionDefinition>> = Object.fromEntries(
  Object.entries(schema.properties).map(([key, { 'x-places': places }]) => [
    key,
    { places: places as ExtensionPlace[], reference: `#/properties/${key}` },
  ]),
);

/** References to the schemas that values are checked against: those of the keys, and those of answers to questions. */
export const vocabularyReferences: readonly string[] = [
  ...Object.values(vocabulary).map(({ reference }) => reference),
  ...new Set(Array.from(objectsIn(vocabularySchema), answersOf).filter((of) => of !== undefined)),
];

/** Returns the reference to the schema of the answers, if a schema accepts `{ unstated: <id> }` in place of a value. */
export function answersOf({ then, else: answers }: JsonObject): string | undefined {
  return referenceOf(then) === '#/$defs/UnstatedReference' ? referenceOf(answers) : undefined;
}

/** Returns the schema that a reference names; `undefined` where the vocabulary has none. */
export function resolveVocabulary(reference: string): Json | undefined {
  return pointerMembers(reference).reduce<Json | undefined>(childOf, vocabularySchema);
}

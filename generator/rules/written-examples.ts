import { type Json, isJsonObject, optional } from '../json/json.ts';
import type { Documents } from '../documents/documents.ts';
import { type Pointer, toPointer } from '../json/pointer.ts';
import type { Contract, Parameter, StatedContent } from '../contract/contract.ts';
import type { JsonSchema } from '../schema/model.ts';
import { Cursor } from '../json/cursor.ts';
import { cursorAt } from '../documents/places.ts';
import { toReference } from '../schema/references.ts';
import { isXml } from '../specification/media-type.ts';
import { hasAny, walk } from '../specification/walk.ts';

/** An example, and the schema that it has to match. */
export interface WrittenExample {
  /** What the example belongs to, for messages. */
  readonly of: string;
  readonly pointer: Pointer;
  readonly value: Json;
  readonly schema: JsonSchema;
}

/** Returns every example of the contract that has to be valid, with its schema. */
export function writtenExamples(
  contract: Contract,
  documents: Documents,
): readonly WrittenExample[] {
  const wire = wireSchemas(contract);
  return [
    ...contract.notifications.flatMap(({ id, payload, examples }) =>
      examples.map(({ name, pointer, value }) => ({
        of: `${name} of the notification ${id}`,
        pointer,
        value,
        schema: wire(payload),
      })),
    ),
    ...contract.messages.flatMap(({ id, payload, contentType, examples }) =>
      ofContent({ mediaType: contentType, examples, ...optional('schema', payload) }, id, wire),
    ),
    ...contract.operations.flatMap(({ id, parameters, requestBody, responses }) => [
      ...parameters.flatMap((parameter) => ofParameter(parameter, documents)),
      ...(requestBody?.content ?? []).flatMap((content) =>
        ofContent(content, `the request of ${id}`, wire),
      ),
      ...responses.flatMap(({ status, headers, content }) => [
        ...headers.flatMap((header) => ofParameter(header, documents)),
        ...content.flatMap((body) => ofContent(body, `the response ${status} of ${id}`, wire)),
      ]),
    ]),
    ...contract.notifications.flatMap(({ headers, label }) =>
      [...headers, ...(label?.parameters ?? [])].flatMap((parameter) =>
        ofParameter(parameter, documents),
      ),
    ),
    ...schemaExamples(contract),
  ];
}

/**
 * Returns the examples in schemas. An example in a schema that differs between requests and responses can be either, so
 * it has to match one of the two.
 */
function schemaExamples({ schemas }: Contract): readonly WrittenExample[] {
  const requests = new Map(
    schemas
      .filter(({ origin }) => origin === 'request')
      .map((schema) => [schema.variantOf, schema]),
  );
  return schemas
    .filter(({ origin }) => origin === 'component' || origin === 'inline')
    .flatMap(({ name, definition, pointer }) => {
      const of = `the schema ${name}`;
      const examples = insideSchema(definition, pointer, of);
      const request = requests.get(name);
      if (request === undefined || examples.length === 0) return examples;
      // Both definitions have the same subschemas in the same order.
      const inRequest = insideSchema(request.definition, pointer, of);
      return examples.map((example, index) => {
        const other = inRequest[index]?.schema ?? example.schema;
        return other === example.schema
          ? example
          : { ...example, schema: { anyOf: [example.schema, other] } };
      });
    });
}

/** Returns a function from the name of a schema to the schema of its wire formats: their union if there are several. */
function wireSchemas({ schemas }: Contract): (name: string) => JsonSchema {
  const unions = new Map(
    schemas.flatMap(({ origin, variantOf, name }) =>
      origin === 'wire' && variantOf !== undefined ? [[variantOf, name] as const] : [],
    ),
  );
  return (name) => toReference(unions.get(name) ?? name);
}

function ofContent(
  { mediaType, schema, examples }: StatedContent,
  where: string,
  wire: (name: string) => JsonSchema,
): readonly WrittenExample[] {
  if (schema === undefined) return [];
  return (
    examples
      // An XML example is a string, which the JSON Schema does not describe.
      .filter(({ value }) => !(typeof value === 'string' && isXml(mediaType)))
      .map(({ name, pointer, value }) => ({
        of: `${name} of ${where}`,
        pointer,
        value,
        schema: wire(schema),
      }))
  );
}

function ofParameter(parameter: Parameter, documents: Documents): readonly WrittenExample[] {
  const { name, pointer, schema, examples } = parameter;
  const at = cursorAt(documents, pointer);
  const member = ['example', 'examples'].find((key) => at.valueIn(key) !== undefined);
  const declaredExamples = examples.map((value) => ({
    of: `the parameter ${name}`,
    pointer: member === undefined ? pointer : toPointer(pointer, member),
    value,
    schema,
  }));
  const schemaAt = at.child('schema');
  return schemaAt.value === undefined
    ? declaredExamples
    : [...declaredExamples, ...insideSchema(schema, schemaAt.pointer, `the parameter ${name}`)];
}

/** Returns the examples of a schema and its subschemas. */
function insideSchema(
  definition: JsonSchema,
  pointer: Pointer,
  of: string,
): readonly WrittenExample[] {
  if (!isJsonObject(definition)) return [];
  const start = new Cursor(definition, pointer, definition);
  return [...walk(start, 'schema')].flatMap((place) => {
    if (!hasAny(place.value, ['example', 'examples'])) return [];
    const single = place.child('example');
    const several = place.items('examples');
    return [...(single.value === undefined ? [] : [single]), ...several].map((example) => ({
      of,
      pointer: example.pointer,
      value: example.value ?? null,
      schema: place.value,
    }));
  });
}

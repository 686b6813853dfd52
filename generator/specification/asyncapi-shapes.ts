import { type Json, isJsonObject } from '../json/json.ts';
import { referenceOf } from '../json/descend.ts';
import { createSchema, externalDocs } from './schema-shapes.ts';
import {
  type DocumentShapes,
  type Shape,
  data,
  listOf,
  mapOf,
  object,
  oneOf,
  orReference,
  text,
} from './shapes.ts';
import { createVocabulary } from './vocabulary-shapes.ts';

/**
 * Creates the grammar of AsyncAPI 3 without its rare parts: security schemes, most bindings, and schemas in other
 * formats. A document that matches it violates neither Redocly's rules nor the specification's JSON Schema.
 */
export function createAsyncapiShapes(): DocumentShapes {
  const inner = createSchema('asyncapi');
  // In a message, a schema cannot be a boolean.
  const schema: Shape = (value, walk) => isJsonObject(value) && inner(value, walk);
  const tags: Shape = (value, walk) =>
    listOf(orReference(object({ name: text, description: text, externalDocs }, named)))(
      value,
      walk,
    ) && areDistinct(value as readonly Json[]);
  const titled = { title: text, summary: text, description: text };
  const described = { ...titled, tags, externalDocs: orReference(externalDocs) };
  const location: Shape = (value) =>
    typeof value === 'string' && /^\$message\.(?:header|payload)#(?:\/[^/~]*)*$/u.test(value);
  const located = orReference(object({ description: text, location }, { required: ['location'] }));

  const info = object(
    {
      title: text,
      version: text,
      description: text,
      termsOfService: text,
      contact: object({ name: text, url: text, email: text }),
      license: object({ name: text, url: text }, named),
      tags,
      externalDocs: orReference(externalDocs),
    },
    {
      required: ['title', 'version'],
      // The specification itself defines these two, with types.
      rule: (value) => !Object.hasOwn(value, 'x-x') && !Object.hasOwn(value, 'x-linkedin'),
    },
  );
  const variable = orReference(
    object({
      enum: (value, walk) => listOf(text)(value, walk) && areDistinct(value as readonly Json[]),
      default: text,
      description: text,
      examples: listOf(text),
    }),
  );
  const server = orReference(
    object(
      {
        ...described,
        host: text,
        pathname: text,
        protocol: text,
        protocolVersion: text,
        variables: mapOf(variable),
      },
      { required: ['host', 'protocol'] },
    ),
  );
  const example = object(
    { name: text, summary: text, headers: isPlainData, payload: data },
    {
      extensible: false,
      rule: ({ headers, payload }) =>
        (headers !== undefined || payload !== undefined) &&
        !(isJsonObject(payload) && '$ref' in payload),
    },
  );
  const trait = {
    ...described,
    name: text,
    contentType: text,
    headers: schema,
    correlationId: located,
    examples: listOf(example),
  };
  const messageTrait = orReference(object(trait));
  const message = orReference(object({ ...trait, payload: schema, traits: listOf(messageTrait) }));
  const parameter = orReference(
    object({
      description: text,
      enum: listOf(text),
      default: text,
      examples: listOf(text),
      location,
    }),
  );
  const channel = orReference(
    object({
      ...described,
      address: (value) => value === null || typeof value === 'string',
      messages: mapOf(message),
      parameters: mapOf(parameter),
      servers: (value, walk) =>
        listOf(referenceTo(server))(value, walk) && areDistinct(value as readonly Json[]),
    }),
  );
  const toChannel = referenceTo(channel);
  const toMessages = listOf(referenceTo(message));
  const reply = orReference(object({ address: located, channel: toChannel, messages: toMessages }));
  const method = oneOf(...'GET PUT POST PATCH DELETE HEAD OPTIONS CONNECT TRACE'.split(' '));
  const http = object({ method, bindingVersion: oneOf('0.3.0') }, { extensible: false });
  const bindings = object({ http });
  const operationTrait = orReference(object({ ...described, bindings }));
  const operation = orReference(
    object(
      {
        ...described,
        action: oneOf('send', 'receive'),
        channel: toChannel,
        messages: toMessages,
        reply,
        traits: listOf(operationTrait),
        bindings,
      },
      { required: ['action', 'channel'] },
    ),
  );
  const components = (shape: Shape): Shape => mapOf(shape, /^[\w.-]+$/u, true);
  const document = object(
    {
      asyncapi: text,
      id: text,
      info,
      servers: mapOf(server),
      defaultContentType: text,
      channels: mapOf(channel),
      operations: mapOf(operation),
      components: object({
        schemas: components(schema),
        servers: components(server),
        serverVariables: components(variable),
        channels: components(channel),
        operations: components(operation),
        messages: components(message),
        parameters: components(parameter),
        correlationIds: components(located),
        replies: components(reply),
        replyAddresses: components(located),
        messageTraits: components(messageTrait),
        operationTraits: components(operationTrait),
      }),
    },
    { required: ['asyncapi', 'info'] },
  );
  return { document, vocabulary: createVocabulary(inner), extensionNames: /^x-[\w.-]+$/u };
}

const named = { required: ['name'] } as const;

/** Matches a reference to a value of the shape, but not the value itself. */
function referenceTo(shape: Shape): Shape {
  return (value, walk) => referenceOf(value) !== undefined && shape(value, walk);
}

const isPlainData: Shape = (value) => isJsonObject(value) && !('$ref' in value);

function areDistinct(items: readonly Json[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

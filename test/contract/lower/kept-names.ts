import fc from 'fast-check';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  toObject,
} from '../../../generator/json/json.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.ts';
import { lowerFiles } from './lower-files.ts';

/** What is added to a document, and at which of the given positions of its object. */
interface Addition {
  readonly what: (typeof additionNames)[number];
  /** Chooses among the existing things that the addition resembles. */
  readonly of: number;
  /** Where it is added, as a part of the object's length. */
  readonly at: number;
  /** Whether its name would become that of the existing thing in code. */
  readonly collides: boolean;
}

/** Adds a member to an object at a place of its order. */
function insert(object: JsonObject, name: string, value: Json, at: number): JsonObject {
  const entries = Object.entries(object).filter(([key]) => key !== name);
  entries.splice(Math.floor(at * (entries.length + 1)), 0, [name, value]);
  return Object.fromEntries(entries);
}

function nested(
  document: JsonObject,
  path: readonly string[],
  change: (at: JsonObject) => JsonObject,
): JsonObject {
  const [member, ...rest] = path;
  if (member === undefined) return change(document);
  return { ...document, [member]: nested(toObject(document[member]), rest, change) };
}

/** Returns a name that becomes the same in code, or one that nothing resembles. */
function nameLike(names: readonly string[], { of, collides }: Addition): string {
  const name = names[of % Math.max(1, names.length)] ?? 'thing';
  if (!collides) return `unrelated-${of}`;
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '-').replaceAll(/[_ .]/gu, '-');
  return words === name ? `${name}-` : words;
}

const keysAt = (document: JsonObject, ...path: readonly string[]): readonly string[] =>
  Object.keys(path.reduce<JsonObject>((at, member) => toObject(at[member]), document));

const inline = { type: 'object', properties: { added: { type: 'string', minLength: 9 } } };
const media = { 'application/json': { schema: inline } };
const answered = { 200: { description: 'Done.', content: media } };

function firstReference(document: JsonObject, section: string, of: number): Json {
  const names = keysAt(document, 'components', section);
  return { $ref: `#/components/${section}/${names[of % names.length] ?? ''}` };
}

/** Returns the names of the input of operations that issue tokens. */
function tokenInputs(document: JsonObject): readonly string[] {
  const ids = JSON.stringify(document).matchAll(/"x-access-token":\{"operation":"([^"]+)"/gu);
  const issuing = new Set(Array.from(ids, ([, id = '']) => id));
  return Object.values(toObject(document['paths'])).flatMap((item) =>
    Object.values(toObject(item)).flatMap((operation) =>
      issuing.has(textOf(toObject(operation)['operationId']))
        ? [...JSON.stringify(operation).matchAll(/"properties":\{"(\w+)":/gu)].map(
            ([, name = '']) => name,
          )
        : [],
    ),
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Adds a call that needs a scheme, because a scheme without a use has no credential. */
function used(document: JsonObject, scheme: string, { of, at }: Addition): JsonObject {
  if (document['openapi'] === undefined) return document;
  const get = { security: [{ [scheme]: [] }], responses: answered };
  return nested(document, ['paths'], (paths) => insert(paths, `/used-${of}`, { get }, at));
}

const additions = {
  operation(document: JsonObject, addition: Addition): JsonObject {
    const ids = [...JSON.stringify(document['paths'] ?? {}).matchAll(/"operationId":"([^"]+)"/gu)];
    const operationId = nameLike(
      ids.map(([, id = '']) => id),
      addition,
    );
    const hasResponses = keysAt(document, 'components', 'responses').length > 0;
    const responses = hasResponses
      ? { ...answered, 404: firstReference(document, 'responses', addition.of) }
      : answered;
    const hasCallbacks = keysAt(document, 'components', 'callbacks').length > 0;
    const callbacks = hasCallbacks
      ? {
          callbacks: {
            [`another${addition.of}`]: firstReference(document, 'callbacks', addition.of),
          },
        }
      : {};
    const operation = {
      post: { operationId, requestBody: { content: media }, responses, ...callbacks },
    };
    return nested(document, ['paths'], (at) =>
      insert(at, `/added-${addition.of}`, operation, addition.at),
    );
  },
  schema(document: JsonObject, addition: Addition): JsonObject {
    const name = nameLike(keysAt(document, 'components', 'schemas'), addition);
    return nested(document, ['components', 'schemas'], (at) =>
      insert(at, name, inline, addition.at),
    );
  },
  value(document: JsonObject, addition: Addition): JsonObject {
    const named = Object.entries(toObject(toObject(document['components'])['schemas'])).filter(
      ([, schema]) =>
        Array.isArray(toObject(schema)['enum']) &&
        toObject(schema)['x-enum-varnames'] === undefined,
    );
    const [name, schema] = named[addition.of % Math.max(1, named.length)] ?? [];
    if (name === undefined) return document;
    const values = [...(toObject(schema)['enum'] as readonly Json[])];
    const texts = values.filter((value) => typeof value === 'string');
    const value = texts.length === 0 ? 100 + addition.of : nameLike(texts, addition);
    values.splice(Math.floor(addition.at * (values.length + 1)), 0, value);
    return nested(document, ['components', 'schemas', name], (at) => ({ ...at, enum: values }));
  },
  webhook(document: JsonObject, addition: Addition): JsonObject {
    if (document['asyncapi'] !== undefined) return document;
    const name = nameLike(keysAt(document, 'webhooks'), addition);
    const webhook = { post: { requestBody: { content: media }, responses: answered } };
    return nested(document, ['webhooks'], (at) => insert(at, name, webhook, addition.at));
  },
  /** A key more that refers to a path item; one with an `operationId` cannot have two keys in `paths`. */
  reference(document: JsonObject, addition: Addition): JsonObject {
    const items = (['paths', 'webhooks', 'components/pathItems'] as const).flatMap((section) =>
      Object.entries(section.split('/').reduce((at, name) => toObject(at[name]), document)).map(
        ([name, item]) => ({
          section: section === 'paths' ? 'paths' : 'webhooks',
          isNamed: JSON.stringify(item).includes('"operationId"'),
          $ref: `#/${section}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        }),
      ),
    );
    const { section, isNamed, $ref } = items[addition.of % Math.max(1, items.length)] ?? {};
    if ($ref === undefined || (section === 'paths' && isNamed === true)) return document;
    const key = `${section === 'paths' ? '/' : ''}referring-${addition.of}`;
    return nested(document, [section ?? ''], (at) => insert(at, key, { $ref }, addition.at));
  },
  /** A security scheme that calls and deliveries can have, and that no name of code distinguishes from an existing one. */
  scheme(document: JsonObject, addition: Addition): JsonObject {
    const names = [
      ...keysAt(document, 'components', 'securitySchemes'),
      ...[...JSON.stringify(document).matchAll(/"credential":"([^"]+)"/gu)].map(
        ([, id = '']) => id,
      ),
      ...tokenInputs(document),
    ];
    const name = nameLike(names, addition);
    const type = document['openapi'] === undefined ? 'httpApiKey' : 'apiKey';
    const scheme = { type, in: 'header', name: `X-Added-${addition.of}` };
    return used(
      nested(document, ['components', 'securitySchemes'], (at) =>
        insert(at, name, scheme, addition.at),
      ),
      name,
      addition,
    );
  },
  /** A scheme whose tokens an operation issues, with the input that others have. */
  tokens(document: JsonObject, addition: Addition): JsonObject {
    if (document['openapi'] === undefined) return document;
    const names = [...tokenInputs(document), ...keysAt(document, 'components', 'securitySchemes')];
    const input = addition.collides
      ? (names[addition.of % Math.max(1, names.length)] ?? 'client_id')
      : `unrelated_${addition.of}`;
    const operationId = `issueAdded${addition.of}`;
    const content = {
      'application/json': { schema: { type: 'object', properties: { [input]: {}, token: {} } } },
    };
    const issuing = {
      post: {
        operationId,
        security: [],
        requestBody: { content },
        responses: { 200: { description: 'Done.', content } },
      },
    };
    const token = '$response.body#/token';
    const scheme = {
      type: 'http',
      scheme: 'bearer',
      'x-access-token': { operation: operationId, token, value: 'Bearer {token}' },
    };
    const name = `added-${addition.of}`;
    const withOperation = nested(document, ['paths'], (at) =>
      insert(at, `/issued-${addition.of}`, issuing, addition.at),
    );
    return used(
      nested(withOperation, ['components', 'securitySchemes'], (at) =>
        insert(at, name, scheme, addition.at),
      ),
      name,
      addition,
    );
  },
  method(document: JsonObject, addition: Addition): JsonObject {
    const names = keysAt(document, 'webhooks');
    const name = names[addition.of % Math.max(1, names.length)];
    if (name === undefined) return document;
    const added = { requestBody: { content: media }, responses: answered };
    return nested(document, ['webhooks', name], (at) => insert(at, 'put', added, addition.at));
  },
  message(document: JsonObject, addition: Addition): JsonObject {
    const { asyncapi } = document;
    if (typeof asyncapi !== 'string' || !asyncapi.startsWith('3')) return document;
    const channels = toObject(document['channels']);
    const names = Object.values(channels).flatMap((channel) =>
      Object.keys(toObject(toObject(channel)['messages'])),
    );
    const name = addition.collides
      ? (names[addition.of % Math.max(1, names.length)] ?? 'm')
      : `m${addition.of}`;
    const key = `added${addition.of}`;
    const channel = { address: `/${key}`, messages: { [name]: { payload: inline } } };
    const operation = { action: 'send', channel: { $ref: `#/channels/${key}` } };
    const withChannel = nested(document, ['channels'], (at) =>
      insert(at, key, channel, addition.at),
    );
    return nested(withChannel, ['operations'], (at) => insert(at, key, operation, addition.at));
  },
  mediaType(document: JsonObject, addition: Addition): JsonObject {
    // A token request carries the first media type, so that one in front changes what it needs.
    const at = tokenInputs(document).length === 0 ? addition.at : 0.999;
    const visit = (value: Json): Json => {
      if (Array.isArray(value)) return value.map((item: Json) => visit(item));
      if (!isJsonObject(value)) return value;
      const entries = Object.entries(value).map(([name, child]): [string, Json] => [
        name,
        visit(child ?? null),
      ]);
      const changed: JsonObject = Object.fromEntries(entries);
      return isJsonObject(changed['content']) && !('in' in changed)
        ? {
            ...changed,
            content: insert(changed['content'], 'application/x-added', { schema: inline }, at),
          }
        : changed;
    };
    return document['openapi'] === undefined ? document : toObject(visit(document));
  },
};

/** The names of all kinds of additions. */
const additionNames = Object.keys(additions) as readonly (keyof typeof additions)[];

/** Adds something to a document. */
function add(document: JsonObject, addition: Addition): JsonObject {
  return additions[addition.what](document, addition);
}

/** Returns every name of code with what it names: a place in the document, or the members of a union. */
function namesIn(contract: Contract): ReadonlyMap<string, string> {
  const { schemas, operations, notifications, unions, security, credentials } = contract;
  const placeOf = new Map(
    notifications.map(({ name, ...notification }) => [name, placeOfKind(notification)]),
  );
  return new Map([
    ...schemas.flatMap(({ typeName, pointer, origin, enumeration, variantOf, definition }) => {
      const place = `${origin} ${variantOf ?? ''} ${pointer} ${origin === 'variant' || origin === 'wire' ? JSON.stringify(definition).length : ''}`;
      const members = enumeration?.members.map(
        ({ name, value }) =>
          [`type ${typeName}.${name}`, `${place} ${JSON.stringify(value)} ${name}`] as const,
      );
      return [[`type ${typeName}`, place] as const, ...(members ?? [])];
    }),
    ...operations.flatMap(({ names, pointer }) =>
      Object.entries(names ?? {}).flatMap(([what, name]) =>
        what === 'module' ? [] : [[`call ${name}`, `${what} ${pointer}`] as const],
      ),
    ),
    ...notifications.flatMap(({ name, eventType, ...notification }) => [
      [`kind ${name}`, placeOfKind(notification)] as const,
      [`event ${eventType}`, placeOfKind(notification)] as const,
    ]),
    ...unions.flatMap(({ name, eventType, kinds }) => {
      const set = kinds
        .map((kind) => placeOf.get(kind) ?? '')
        .toSorted((a, b) => (a < b ? -1 : 1))
        .join(' ');
      return [
        [`kind ${name}`, `union ${set}`] as const,
        [`event ${eventType}`, `union ${set}`] as const,
      ];
    }),
    ...security.map(({ name, pointer }) => [`scheme ${name}`, pointer] as const),
    ...credentials.map(
      ({ name, places, sentBy }) =>
        [
          `credential ${name}`,
          `${places.join(' ')} ${sentBy?.operation ?? ''} ${sentBy?.name ?? ''}`,
        ] as const,
    ),
  ]);
}

function placeOfKind({
  pointer,
  label,
}: Pick<Contract['notifications'][number], 'pointer' | 'label'>): string {
  return `${pointer} ${label?.path ?? ''}`;
}

/**
 * Returns the names of before that an addition took away or gave to something else, unless a diagnostic names them, or
 * the name that they begin with. A name of a union goes with its set of kinds, which an addition can enlarge, but names
 * no other set.
 */
function lostNames(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  diagnostics: readonly Diagnostic[],
): readonly string[] {
  const reported = diagnostics
    .filter(({ code }) => code === 'name-collision')
    .flatMap(({ message }) =>
      [
        ...message.matchAll(/(?:the (?:type|function|handler|key|credential)|would be) (\w+)/gu),
      ].map(([, name = '']) => name.toLowerCase()),
    );
  const sets = new Set(after.values());
  return [...before].flatMap(([name, place]) => {
    const now = after.get(name);
    if (now === place) return [];
    if (now === undefined && place.startsWith('union ') && !sets.has(place)) return [];
    // A union is named after its kinds, of which one can be reported.
    const kinds = place.startsWith('union ') ? place.replaceAll(/[^\p{L}\p{N} ]/gu, '') : '';
    if (reported.some((stem) => kinds.toLowerCase().includes(stem))) return [];
    const word = name.replace(/^\w+ (?:is(?=\p{Lu}))?(?:\w+\.)?/u, '').toLowerCase();
    return reported.some((stem) => word.startsWith(stem))
      ? []
      : [`${name}: ${place} → ${now ?? 'nothing'}`];
  });
}

/** Any addition. */
export const addition: fc.Arbitrary<Addition> = fc.record({
  what: fc.constantFrom(...additionNames),
  of: fc.nat({ max: 30 }),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  collides: fc.boolean(),
});

const lower = (document: JsonObject): ReturnType<typeof lowerFiles> => {
  const file = document['openapi'] === undefined ? 'asyncapi.yaml' : 'openapi.yaml';
  return lowerFiles({ [file]: JSON.stringify(document) });
};

/** Returns every name of a document and of the same one whose members are in the opposite order. */
export async function namesInBothOrders(
  document: JsonObject,
): Promise<readonly [names: readonly string[], opposite: readonly string[]]> {
  const namesOf = async (text: JsonObject): Promise<readonly string[]> =>
    Array.from(namesIn((await lower(text)).contract), (entry) => entry.join(': ')).toSorted();
  return [await namesOf(document), await namesOf(toObject(reversed(document)))];
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    reversed(member ?? null),
  ]);
  return Object.fromEntries(members.toReversed());
}

/** Returns the names of a document that additions take away or give to something else, without a diagnostic. */
export async function namesLostBy(
  document: JsonObject,
  list: readonly Addition[],
): Promise<readonly string[]> {
  const [before, after] = [await lower(document), await lower(list.reduce(add, document))];
  return lostNames(namesIn(before.contract), namesIn(after.contract), after.diagnostics);
}

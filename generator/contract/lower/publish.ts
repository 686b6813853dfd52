import { type JsonObject, isJsonObject, toObject, optional } from '../../json/json.ts';
import type { Documents, LoadedWorkflows } from '../../documents/documents.ts';
import { labelNotes, type LabelNote } from './label-notes.ts';
import { descend } from '../../json/descend.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../../json/pointer.ts';
import type { StatedNotification } from '../complete.ts';
import type { Contract, Example, ReadData, Unstated } from '../contract.ts';
import type { Schema } from '../../schema/model.ts';
import { Cursor } from '../../json/cursor.ts';
import { toComponent, toComponentReferences } from '../../schema/component-references.ts';
import { indexSchemas, reachableFrom } from '../../schema/references.ts';
import { mapMembers } from '../../json/map-members.ts';
import { conditionsKey } from '../../recognition/identification.ts';
import { operationMethods } from '../../specification/openapi-grammar.ts';

type PublishedNotification = StatedNotification & ReadData;

/**
 * Returns the bundled documents as other tools read them. A payload with several wire variants refers to their union.
 * The OpenAPI document describes the notifications of the AsyncAPI document under `webhooks`. OpenAPI 3.0 has no
 * webhooks, so a document of that version does not describe them. An address or a method that an open ledger entry
 * decides has a note with the question.
 */
export function publishDocuments(
  documents: Documents,
  schemas: readonly Schema[],
  notifications: readonly PublishedNotification[],
  unstated: readonly Unstated[],
): Contract['documents'] {
  const wires = new Map(
    schemas.filter(({ origin }) => origin === 'wire').map((wire) => [wire.variantOf, wire]),
  );
  const { openapi, asyncapi } = documents;
  const added = schemas.filter(({ origin }) => origin === 'variant' || origin === 'wire');
  const notes = labelNotes(documents, unstated);
  const published: { openapi?: JsonObject; asyncapi?: JsonObject; workflows?: JsonObject } = {};
  if (documents.workflows !== undefined) {
    published.workflows = publishWorkflows(documents.workflows);
  }
  if (asyncapi !== undefined) {
    const withForms = pointPayloadsToWires(asyncapi.root, 'asyncapi', notifications, wires);
    published.asyncapi = addSchemas(addNotes(withForms, notes.labels), added);
  }
  if (openapi !== undefined) {
    const document = pointPayloadsToWires(openapi.root, 'openapi', notifications, wires);
    const derives = asyncapi !== undefined && !openapi.version.startsWith('3.0');
    published.openapi = addSchemas(
      derives
        ? addWebhooks(document, asyncapi.root, notifications, wires, notes.messages)
        : document,
      derives ? schemas.filter(({ origin }) => origin !== 'inline') : added,
    );
    if (derives) {
      const withPayloads = addSchemas(published.openapi, inlinePayloads(schemas, notifications));
      published.openapi = addEntries(withPayloads, asyncapi.root, unstated);
    }
  }
  return published;
}

/**
 * Returns the Arazzo documents with the URLs of published documents. They are in a folder beside the other documents,
 * and each file has the name of its document.
 */
function publishWorkflows({ root, sources }: LoadedWorkflows): JsonObject {
  const documents = Cursor.ofDocument(root, 'workflows')
    .entries()
    .map(([name, document]) => {
      const sourceDescriptions = document.items('sourceDescriptions').map((description) => {
        const place = sources.get(name)?.get(description.text('name') ?? '');
        if (place === undefined || !isJsonObject(description.value))
          return description.value ?? null;
        const [file] = pointerMembers(place);
        const url = file === undefined ? `../${pointerDocument(place)}.json` : `./${file}.json`;
        return { ...description.value, url };
      });
      return [name, { ...toObject(document.value), sourceDescriptions }] as const;
    });
  return Object.fromEntries(documents);
}

/**
 * Adds the ledger entries of the AsyncAPI document whose answers change its schemas: the OpenAPI document has these schemas
 * too, and an answer changes only documents that have its entry.
 */
function addEntries(
  root: JsonObject,
  asyncapi: JsonObject,
  unstated: readonly Unstated[],
): JsonObject {
  const entries = toObject(toObject(asyncapi['components'])['x-unstated']);
  const isNeeded = ({ id, affects }: Unstated): boolean =>
    Object.hasOwn(entries, id) &&
    affects.some((pointer) => pointer.startsWith('asyncapi#/components/schemas/'));
  const needed = unstated.filter(isNeeded).map(({ id }) => [id, entries[id] ?? null] as const);
  if (needed.length === 0) return root;
  const components = toObject(root['components']);
  const all = { ...Object.fromEntries(needed), ...toObject(components['x-unstated']) };
  return { ...root, components: { ...components, 'x-unstated': all } };
}

/** Returns the inline schemas of AsyncAPI messages, because webhooks refer to them by name. */
function inlinePayloads(
  schemas: readonly Schema[],
  notifications: readonly PublishedNotification[],
): readonly Schema[] {
  const index = indexSchemas({ schemas });
  const wanted = new Set(
    notifications.filter(isAsync).flatMap(({ payload }) => reachableFrom(index, payload)),
  );
  return schemas.filter(({ name, origin }) => origin === 'inline' && wanted.has(name));
}

function addWebhooks(
  root: JsonObject,
  asyncapi: JsonObject,
  notifications: readonly PublishedNotification[],
  wires: ReadonlyMap<string | undefined, Schema>,
  notes: ReadonlyMap<Pointer, LabelNote>,
): JsonObject {
  const declaredWebhooks = toObject(root['webhooks']);
  const taken = new Set(Object.keys(declaredWebhooks));
  const derived = notifications
    .filter((notification) => isAsync(notification) && !taken.has(notification.id))
    .map((notification) => {
      const message = Cursor.ofDocument(asyncapi, 'asyncapi').child(
        ...pointerMembers(notification.pointer),
      );
      const note = notes.get(notification.pointer);
      const item = toPathItem(notification, wires, extensionsOf(message), note);
      return [notification.id, item] as const;
    });
  if (derived.length === 0) return root;
  return withConditions(
    { ...withOwnSecurity(root), webhooks: { ...declaredWebhooks, ...Object.fromEntries(derived) } },
    asyncapi,
  );
}

/**
 * Moves the security requirement of the document onto the operations that do not have one. Otherwise it would
 * apply to the webhooks too.
 */
function withOwnSecurity({ security, ...root }: JsonObject): JsonObject {
  if (security === undefined || !isJsonObject(root['paths'])) return root;
  const paths = mapMembers(root['paths'], (item) =>
    isJsonObject(item)
      ? mapMembers(item, (operation, key) =>
          operationMethods.includes(key) &&
          isJsonObject(operation) &&
          !Object.hasOwn(operation, 'security')
            ? { ...operation, security }
            : operation,
        )
      : item,
  );
  return { ...root, paths };
}

/** Adds the named conditions that the `x-identified-by` of the webhooks refer to. */
function withConditions(root: JsonObject, asyncapi: JsonObject): JsonObject {
  const conditions = Cursor.ofDocument(asyncapi, 'asyncapi').valueIn('components', conditionsKey);
  if (conditions === undefined) return root;
  const components = toObject(root['components']);
  return { ...root, components: { ...components, [conditionsKey]: conditions } };
}

function toPathItem(
  notification: PublishedNotification,
  wires: ReadonlyMap<string | undefined, Schema>,
  extensions: JsonObject,
  note: LabelNote | undefined,
): JsonObject {
  const { id, description, label, method, deprecated, tags, headers, examples } = notification;
  const security = notification.security.map((requirement) =>
    Object.fromEntries(requirement.map(({ scheme, scopes }) => [scheme, scopes])),
  );
  const schema = wires.get(notification.payload)?.name ?? notification.payload;
  const remarks = [
    description,
    label === undefined
      ? undefined
      : `Label: \`${[label.method, label.path].filter(Boolean).join(' ')}\`.`,
    method === undefined
      ? 'The contract states no method; `post` stands here because a webhook needs one.'
      : undefined,
    note?.entries,
  ];
  return {
    [(method ?? 'POST').toLowerCase()]: {
      operationId: id,
      ...optional('summary', notification.summary),
      ...(remarks.some(Boolean) ? { description: remarks.filter(Boolean).join('\n\n') } : {}),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(deprecated ? { deprecated } : {}),
      ...(headers.length === 0 ? {} : { parameters: headers.map(toHeaderParameter) }),
      ...(notification.encoding === 'query'
        ? {}
        : {
            requestBody: {
              required: true,
              content: {
                [notification.contentType]: {
                  schema: toComponent(schema),
                  ...toExamples(examples),
                },
              },
            },
          }),
      responses: {},
      ...(security.length === 0 ? {} : { security }),
      ...withNote(extensions, note?.note),
    },
  };
}

function extensionsOf(message: Cursor): JsonObject {
  return Object.fromEntries(
    message.entries().flatMap(([key, at]) => (key.startsWith('x-') ? [[key, at.value]] : [])),
  );
}

function toHeaderParameter(header: PublishedNotification['headers'][number]): JsonObject {
  return {
    name: header.name,
    in: 'header',
    ...(header.required ? { required: true } : {}),
    ...optional('description', header.description),
    schema: toComponentReferences(header.schema),
    ...(header.source.length === 0 ? {} : { 'x-source': [...header.source] }),
    ...optional('x-note', header.notes),
  };
}

function toExamples(examples: readonly Example[]): JsonObject {
  if (examples.length === 0) return {};
  return {
    examples: Object.fromEntries(
      examples.map(({ name, summary, value }) => [
        name,
        { ...optional('summary', summary), value },
      ]),
    ),
  };
}

/** Returns an object with a remark after those that it has. */
function withNote(members: JsonObject, note: string | undefined): JsonObject {
  if (note === undefined) return members;
  const remarks = members['x-note'];
  return { ...members, 'x-note': remarks === undefined ? note : [remarks, note].flat() };
}

/** Adds the schemas that the document does not have yet, in the contract's order. */
function addSchemas(root: JsonObject, schemas: readonly Schema[]): JsonObject {
  const components = toObject(root['components']);
  const present = toObject(components['schemas']);
  const missing = schemas.filter(({ name }) => !Object.hasOwn(present, name));
  if (missing.length === 0) return root;
  const added = Object.fromEntries(
    missing.map((schema) => [schema.name, toComponentReferences(schema.definition)]),
  );
  return { ...root, components: { ...components, schemas: { ...present, ...added } } };
}

/** Replaces the payload of each notification of this document by a reference to the union of its wire variants. */
function pointPayloadsToWires(
  root: JsonObject,
  document: 'openapi' | 'asyncapi',
  notifications: readonly PublishedNotification[],
  wires: ReadonlyMap<string | undefined, Schema>,
): JsonObject {
  return notifications
    .flatMap(({ pointer, readings }) => readings.map((reading) => ({ pointer, ...reading })))
    .reduce<JsonObject>((changed, { pointer, schema, mediaType, range }) => {
      const wire = wires.get(schema);
      if (range !== undefined) return changed;
      if (wire === undefined || pointerDocument(pointer) !== document) return changed;
      const at = pointerMembers(pointer);
      const place =
        document === 'asyncapi'
          ? [...at, 'payload']
          : [...at, 'requestBody', 'content', mediaType, 'schema'];
      return setAt(changed, place, toComponent(wire.name));
    }, root);
}

/** Returns a copy in which channels and operations have notes. Copies each object that contains them once. */
function addNotes(root: JsonObject, notes: ReadonlyMap<Pointer, LabelNote>): JsonObject {
  const byHolder = Map.groupBy(notes.keys(), (pointer) =>
    toPointer('asyncapi#', ...pointerMembers(pointer).slice(0, -1)),
  );
  return [...byHolder.keys()].reduce((copy, pointer) => {
    const path = pointerMembers(pointer);
    const { value } = descend(copy, path);
    if (!isJsonObject(value)) return copy;
    const noted = mapMembers(value, (member, key) => {
      const note = notes.get(toPointer(pointer, key))?.note;
      return isJsonObject(member) ? withNote(member, note) : member;
    });
    return setAt(copy, path, noted);
  }, root);
}

/**
 * Returns a copy in which the object at a path is replaced; an equal copy where the path does not lead to an object.
 */
function setAt(
  value: JsonObject,
  [member, ...rest]: readonly string[],
  replacement: JsonObject,
): JsonObject {
  if (member === undefined) return replacement;
  const inner = Object.hasOwn(value, member) ? value[member] : undefined;
  if (!isJsonObject(inner)) return value;
  return { ...value, [member]: setAt(inner, rest, replacement) };
}

function isAsync({ pointer }: PublishedNotification): boolean {
  return pointerDocument(pointer) === 'asyncapi';
}

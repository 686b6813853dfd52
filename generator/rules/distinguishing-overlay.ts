import { memoize } from '../execution/memoize.ts';
import { basename } from 'node:path';
import type { Contract, Notification } from '../contract/contract.ts';
import { conditionsKey } from '../recognition/identification.ts';
import { childOf } from '../json/descend.ts';
import { jsonLiteral } from '../json/json-literal.ts';
import { isScalar, type Json, type JsonObject, type Scalar } from '../json/json.ts';
import { toJsonPath } from '../json/json-path.ts';
import { escapeMember, pointerDocument, pointerMembers } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { dataFormats } from '../recognition/data-format.ts';
import { unionsBySchema } from '../recognition/recognition.ts';
import { canonicalExpression } from '../recognition/exclusive-conditions.ts';
import { conjunctsOf } from '../schema/conjuncts.ts';
import type { JsonSchema } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import {
  indexSchemas,
  resolveSchema,
  type SchemaIndex,
  toReference,
} from '../schema/references.ts';

/** An action of an overlay: the JSONPath of its target, and what it merges into it. */
type OverlayUpdate = readonly [target: string, update: Json];

/** What an overlay states to distinguish notifications of one document. */
export interface Distinction {
  readonly document: 'openapi' | 'asyncapi';
  readonly updates: readonly OverlayUpdate[];
  /** Where the values come from. */
  readonly origins: ReadonlySet<Origin>;
  /** What the user has to know about it, in sentences. */
  readonly about: string;
}

/** What may distinguish notifications. */
export interface DistinctionOptions {
  /** The origins of values that are used; by default all. */
  readonly origins?: readonly Origin[];
  /** The expression whose value states the kind, such as `$request.header.x-event`; by default, it is searched. */
  readonly expression?: string;
}

/**
 * Returns what distinguishes groups of notifications which the contract does not distinguish; `undefined` where nothing
 * can be stated. Its values are those that the contract lists, or else examples and names, which its user has to check:
 * neither decides anything by itself. A delivery with none of the values matches the whole group as before, so that no
 * delivery is lost by a wrong value.
 */
export function distinguish(
  groups: readonly (readonly Notification[])[],
  contract: Contract,
  documents: Documents,
  options: DistinctionOptions = {},
): Distinction | undefined {
  const index = indexSchemas(contract);
  const suggestions = groups.map((group) => suggest(group, index, contract, options));
  const suggestedActions = suggestions.flatMap((suggestion) => suggestion?.actions ?? []);
  const [first] = suggestedActions;
  const name = first && pointerDocument(first.notification.pointer);
  const pointers = new Set(suggestedActions.map(({ notification }) => notification.pointer));
  const isOne = suggestedActions.every(
    ({ notification }) => pointerDocument(notification.pointer) === name,
  );
  if (
    name === undefined ||
    name === 'workflows' ||
    !isOne ||
    pointers.size < suggestedActions.length ||
    !arePlacesWritten(suggestedActions, documents)
  )
    return undefined;
  const root = documents[name]?.root ?? {};
  const sources = new Set(suggestions.flatMap((suggestion) => suggestion?.origin ?? []));
  const names = conditionNames(root);
  const conditions: Record<string, Json> = {};
  const actions = suggestions.flatMap((suggestion) => {
    const { listed, actions: groupActions } = suggestion ?? { actions: [] };
    const condition = listed === undefined ? '' : names();
    if (listed !== undefined) conditions[condition] = [{ [listed.expression]: listed.schema }];
    return groupActions.map(({ notification, toUpdate }): OverlayUpdate => [
      toJsonPath(root, pointerMembers(notification.pointer)),
      toUpdate(condition),
    ]);
  });
  if (Object.keys(conditions).length > 0)
    actions.unshift(['$', { components: { [conditionsKey]: conditions } }]);
  const words: string[] = [...sources].map((source) => origins[source]);
  if (Object.keys(conditions).length > 0) words.push(unionHelp);
  return { document: name, updates: actions, origins: sources, about: words.join(' ') };
}

/**
 * Returns help with a complete overlay that distinguishes groups of notifications; `undefined` where none can be written.
 */
export function helpToDistinguish(
  groups: readonly (readonly Notification[])[],
  contract: Contract,
  documents: Documents,
): string | undefined {
  const distinction = distinguish(groups, contract, documents);
  if (distinction === undefined) return undefined;
  const { document, updates, origins: sources, about } = distinction;
  const isUnlisted = sources.has('examples') || sources.has('names');
  const isMany = new Set(groups.flat()).size > maxProposed;
  const request = !isUnlisted
    ? ''
    : isMany
      ? 'Select the events that you handle with `include`, and identify each by a value that the service sends (`x-identified-by`). '
      : 'Declare what distinguishes the notifications. ';
  const isAlone = documents.openapi === undefined || documents.asyncapi === undefined;
  const lines = [
    'overlay: 1.0.0',
    'info: { title: What distinguishes the notifications, version: 1.0.0 }',
    ...(isAlone
      ? []
      : [`extends: ${jsonLiteral(basename(documents.locate(`${document}#`).file))}`]),
    'actions:',
    ...updates.flatMap(([target, update]) => [
      `  - target: ${jsonLiteral(target)}`,
      `    update: ${jsonLiteral(update)}`,
    ]),
  ];
  const file =
    isUnlisted && isMany
      ? 'An overlay for all of them to take from'
      : sources.has('names')
        ? 'Add this file, with the values that the service sends, to `contract.overlays`'
        : 'Add this file to `contract.overlays`';
  return `${request}${about} ${file}:\n\n${lines.join('\n')}`;
}

/** The number of notifications whose unlisted values a user can check one by one. */
const maxProposed = 10;

/**
 * Returns whether the document has the messages where the converted document has them. An overlay is applied to an
 * AsyncAPI 2 document before its conversion, which moves the messages of channels.
 */
function arePlacesWritten(actions: readonly SuggestedAction[], documents: Documents): boolean {
  if (!isAsyncapi2(documents)) return true;
  return actions.every(
    ({ notification: { pointer } }) => !pointer.startsWith('asyncapi#/channels/'),
  );
}

/** Returns whether the AsyncAPI document was converted from AsyncAPI 2. */
export function isAsyncapi2({ asyncapi, files }: Documents): boolean {
  const text = files.find(({ path }) => path === asyncapi?.file)?.text ?? '';
  return /^[\s{]*["']?asyncapi["']?\s*:\s*["']?2\./mu.test(text);
}

/** Where the values of an overlay come from. */
type Origin = keyof typeof origins;

const origins = {
  listed: 'The values that the contract lists for all of them distinguish notifications.',
  examples: 'The values are those of examples: check that the service sends them.',
  names: 'The values are names of the contract: replace them by those that the service sends.',
  schemas:
    'No value distinguishes the notifications, but their schemas can: the kind whose schema alone accepts a delivery is called, and its event says so.',
} as const;

/** The help about the second alternative of each notification. */
const unionHelp =
  'A delivery with none of these values still arrives as the union. Remove the second item of each `x-identified-by` once the values are checked: it then arrives in `otherwise`.';

interface Suggestion {
  readonly origin: Origin;
  /** The values of all notifications of the group; left out where schemas decide. */
  readonly listed?: { readonly expression: string; readonly schema: JsonObject };
  readonly actions: readonly SuggestedAction[];
}

interface SuggestedAction {
  readonly notification: Notification;
  /** Returns the update of an overlay, with the name of the condition that a listed value is present. */
  readonly toUpdate: (condition: string) => Json;
}

/** Creates the function that returns another name for a condition each time, which the document does not have. */
function conditionNames(root: Json): () => string {
  const declared = childOf(childOf(root, 'components'), conditionsKey);
  let count = 0;
  return () => {
    let name: string;
    do {
      count += 1;
      name = count === 1 ? 'isListed' : `isListed${count}`;
    } while (childOf(declared, name) !== undefined);
    return name;
  };
}

/** A header or member that could distinguish notifications. */
interface Field {
  readonly expression: string;
  readonly listed: readonly Scalar[] | undefined;
  readonly example: Json | undefined;
  readonly isText: boolean;
}

function suggest(
  group: readonly Notification[],
  index: SchemaIndex,
  contract: Contract,
  { origins: allowed, expression }: DistinctionOptions,
): Suggestion | undefined {
  if (group.some(({ identifiedByOrigin }) => identifiedByOrigin === 'declared')) return undefined;
  if (expression === pathExpression) return suggestPaths(group);
  const all = group.map((notification) => ({
    notification,
    fields: withField(fieldsIn(index)(notification), expression),
  }));
  const shared = [...(all[0]?.fields.keys() ?? [])].filter((key) =>
    all.every(({ fields }) => fields.has(key)),
  );
  const key = expression && canonicalExpression(expression);
  const naming = shared.filter(
    (fieldKey) =>
      fieldKey === key || (namingField.test(fieldKey) && !/content-?type$/iu.test(fieldKey)),
  );
  const isSought = (fieldKey: string): boolean => key === undefined || fieldKey === key;
  const attempts: readonly (readonly [Origin, readonly string[], ValueOf])[] = [
    ['listed', shared, ({ listed }, { id }) => listed?.find((value) => isSameName(value, id))],
    ['examples', naming, ({ example }) => (isScalar(example) ? example : undefined)],
    ['names', naming, ({ isText }, { id }) => (isText ? id : undefined)],
  ];
  for (const [origin, keys, valueOf] of attempts) {
    if (allowed?.includes(origin) === false) continue;
    for (const key of keys.filter(isSought)) {
      const actions: (SuggestedAction & { readonly value: Scalar; readonly expression: string })[] =
        [];
      for (const { notification, fields } of all) {
        const field = fields.get(key)?.();
        const value = field && valueOf(field, notification);
        if (field === undefined || value === undefined) break;
        if (field.listed?.includes(value) === false) break;
        const { expression } = field;
        const toUpdate = createUpdate(notification, expression, { const: value });
        actions.push({ notification, value, expression, toUpdate });
      }
      const values = actions.map(({ value }) => value);
      const [first] = actions;
      if (first !== undefined && actions.length === group.length && areDistinct(actions))
        return {
          origin,
          listed: { expression: first.expression, schema: { enum: [...new Set(values)] } },
          actions,
        };
    }
  }
  return expression === undefined && allowed?.includes('schemas') !== false
    ? suggestSchemas(group, index, contract)
    : undefined;
}

/** Returns whether notifications have different values where nothing else distinguishes them. */
function areDistinct(
  actions: readonly { readonly notification: Notification; readonly value: Scalar }[],
): boolean {
  const byValue = Map.groupBy(actions, ({ value }) => value);
  return (
    byValue.size > 1 &&
    Array.from(byValue.values()).every((same) =>
      haveNoCommonDelivery(same.map(({ notification }) => notification)),
    )
  );
}

function haveNoCommonDelivery(notifications: readonly Notification[]): boolean {
  const names = new Set(notifications.map(({ name }) => name));
  return notifications.every(({ ambiguousWith }) =>
    ambiguousWith.every((other) => !names.has(other)),
  );
}

/** The expression of the path of a delivery. */
const pathExpression = '$url.path';

/** Suggests that the last segment of the path of a delivery is the name of its notification. */
function suggestPaths(group: readonly Notification[]): Suggestion {
  const patternOf = (names: readonly string[]): JsonObject => ({
    pattern: `/(?:${names.map((name) => name.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`)).join('|')})$`,
  });
  const actions = group.map((notification) => ({
    notification,
    toUpdate: createUpdate(notification, pathExpression, patternOf([notification.id])),
  }));
  const listed = { expression: pathExpression, schema: patternOf(group.map(({ id }) => id)) };
  return { origin: 'names', listed, actions };
}

/** Adds the field of an expression that the contract does not declare. */
function withField(fields: Fields, expression: string | undefined): Fields {
  if (expression === undefined || fields.has(canonicalExpression(expression))) return fields;
  const field = { expression, listed: undefined, example: undefined, isText: true };
  return new Map([...fields, [canonicalExpression(expression), () => field]]);
}

/** The fields of a notification by their canonical expressions. Most are never read. */
type Fields = ReadonlyMap<string, () => Field>;

type ValueOf = (field: Field, notification: Notification) => Scalar | undefined;

/** The names of headers and members that name what was sent. */
const namingField = /(?:event|type|kind|action|topic|trigger)(?:[-_]?(?:name|type|key))?$/iu;

function isSameName(value: Scalar, id: string): boolean {
  const fold = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return typeof value === 'string' && fold(value) === fold(id);
}

/**
 * Creates the update that adds a condition to those that are derived, and would not be with declared conditions; or else
 * none of the listed values is present.
 */
function createUpdate(
  { identifiedBy }: Notification,
  expression: string,
  schema: JsonObject,
): SuggestedAction['toUpdate'] {
  const [derived = []] = identifiedBy;
  const kept = derived
    .filter(
      (condition) =>
        condition.optional !== true &&
        condition.expression !== '$method' &&
        canonicalExpression(condition.expression) !== canonicalExpression(expression),
    )
    .map((condition) => [condition.expression, condition.schema] as const);
  return (condition) => ({
    'x-identified-by': [
      Object.fromEntries([...kept, [expression, schema]]),
      Object.fromEntries([...kept, [condition, false]]),
    ],
  });
}

/** Suggests that schemas decide, where no other notification remains beside those of the group. */
function suggestSchemas(
  group: readonly Notification[],
  index: SchemaIndex,
  { recognition: { bySchema, groups } }: Contract,
): Suggestion | undefined {
  const names = group.map(({ name }) => name);
  const stated = new Set(bySchema);
  if (names.every((name) => stated.has(name))) return undefined;
  const decided = new Set(unionsBySchema({ groups, bySchema: [...bySchema, ...names] }).flat());
  if (!names.every((name) => decided.has(name))) return undefined;
  const schemas = group.map(({ payload }) => JSON.stringify(index.get(payload)?.definition));
  const areDistinct = new Set(schemas).size === group.length;
  if (!areDistinct || group.some((notification) => dataFormats(notification).join(' ') !== 'json'))
    return undefined;
  const toUpdate = (): Json => ({ 'x-identified-by-schema': true });
  return { origin: 'schemas', actions: group.map((notification) => ({ notification, toUpdate })) };
}

/** Returns the canonical expressions of the values that a notification declares. */
export function expressionsOf(notification: Notification, index: SchemaIndex): ReadonlySet<string> {
  return new Set(fieldsIn(index)(notification).keys());
}

/** Returns the function that finds the fields of a notification, once for all rules. */
const fieldsIn = memoize((index: SchemaIndex) =>
  memoize((notification: Notification) => fieldsOf(notification, index)),
);

/** Returns the headers of a notification, and the members of its body and of their members. */
function fieldsOf({ headers, payload, examples }: Notification, index: SchemaIndex): Fields {
  const fields = new Map<string, () => Field>();
  const add = (
    expression: string,
    partsOf: () => readonly SchemaNode[],
    examplesOf: () => readonly Json[],
  ): void => {
    fields.set(canonicalExpression(expression), () => {
      const parts = partsOf();
      const types = parts.flatMap((part) => part.types ?? []);
      return {
        expression,
        listed: parts.map(({ values }) => values?.filter(isScalar)).find((values) => values),
        example: [...examplesOf(), ...parts.flatMap(({ keywords }) => examplesIn(keywords))][0],
        isText: types.length === 0 || types.includes('string'),
      };
    });
  };
  for (const { name, schema, examples: headerExamples } of headers)
    add(
      `$request.header.${name}`,
      () => [new SchemaNode(resolveSchema(index, schema) ?? true)],
      () => headerExamples,
    );
  const visit = (schemas: readonly JsonSchema[], path: readonly string[]): void => {
    const parts = conjunctsOf(schemas, index);
    const members = Map.groupBy(
      parts.flatMap(({ properties }) => properties),
      ([name]) => name,
    );
    for (const [name, properties] of members) {
      const inner = properties.map(([, schema]) => schema);
      const at = [...path, name];
      const pointer = at.map((member) => `/${escapeMember(member)}`).join('');
      add(
        `$request.body#${pointer}`,
        () => conjunctsOf(inner, index),
        () => examples.flatMap(({ value }) => at.reduce<Json | undefined>(childOf, value) ?? []),
      );
      if (path.length === 0) visit(inner, at);
    }
  };
  visit([toReference(payload)], []);
  return fields;
}

function examplesIn(keywords: SchemaNode['keywords']): readonly Json[] {
  const { examples, example } = keywords;
  return [...(Array.isArray(examples) ? (examples as readonly Json[]) : []), example].filter(
    (entry) => entry !== undefined,
  );
}

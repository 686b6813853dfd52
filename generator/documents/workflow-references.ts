import { Cursor } from '../json/cursor.ts';
import { memoize } from '../execution/memoize.ts';
import { isJsonObject } from '../json/json.ts';
import { type Pointer, pointerDocument, pointerMembers, toPointer } from '../json/pointer.ts';
import { splitReference } from '../json/split-reference.ts';
import { type MessagePlace, messagePlaces } from '../specification/message-place.ts';
import { callbackPlaces, operationPlaces } from '../specification/operation-places.ts';
import { usesVocabulary } from './declared-vocabulary.ts';
import type { Documents } from './documents.ts';

/** A reference from a workflow to an operation, to messages of a channel, or to another workflow. */
export interface WorkflowReference {
  /** The places of the operation, the messages or the workflow that it names. */
  readonly targets: readonly Pointer[];
  /** The values that name nothing in the contract. */
  readonly unknown: readonly Cursor[];
}

/** Returns the workflows of all Arazzo documents, in the author's order. */
export function workflowsOf({ workflows }: Documents): readonly Cursor[] {
  if (workflows === undefined) return [];
  return Cursor.ofDocument(workflows.root, 'workflows')
    .entries()
    .flatMap(([, document]) => document.items('workflows'));
}

/** Returns whether the Arazzo document of a workflow declares `x-countersign: 1`. */
export function usesVocabularyAt({ workflows }: Documents, at: Cursor): boolean {
  const root = workflows?.root[pointerMembers(at.pointer)[0] ?? ''];
  return isJsonObject(root) && usesVocabulary(root);
}

/** Returns the steps of a workflow that the contract does not describe (`x-undescribed`). */
export function undescribedSteps(documents: Documents, workflow: Cursor): readonly Cursor[] {
  return usesVocabularyAt(documents, workflow) ? workflow.items('x-undescribed') : [];
}

/**
 * Returns what a step refers to. A step of a channel is about all messages of the channel, or about those that
 * `x-messages` names.
 */
export function stepReference(documents: Documents, step: Cursor): WorkflowReference {
  const [name] = (['operationId', 'operationPath', 'channelPath', 'workflowId'] as const).filter(
    (member) => step.valueIn(member) !== undefined,
  );
  if (name === undefined) return { targets: [], unknown: [step] };
  const at = step.child(name);
  if (name === 'workflowId') return toReference(at, workflowsNamed(documents, at));
  const units = name === 'operationId' ? unitsNamed(documents, at) : unitsAt(documents, at);
  const chosen = usesVocabularyAt(documents, step) ? step.items('x-messages') : [];
  if (units.length === 0 || chosen.length === 0) return toReference(at, units.map(pointerOf));
  const isNamed = (unit: Unit, name: Cursor): boolean => unit.name === name.text();
  return {
    targets: units
      .filter((unit) => chosen.some((message) => isNamed(unit, message)))
      .map(pointerOf),
    unknown: chosen.filter((message) => !units.some((unit) => isNamed(unit, message))),
  };
}

/** Returns the references of a workflow: those of its steps, and to workflows that it depends on or continues with. */
export function workflowReferences(
  documents: Documents,
  workflow: Cursor,
): readonly WorkflowReference[] {
  const steps = workflow.items('steps');
  const actions = [workflow, ...steps].flatMap((holder) =>
    ['onSuccess', 'onFailure', 'successActions', 'failureActions'].flatMap((member) =>
      holder.items(member).map((action) => action.child('workflowId')),
    ),
  );
  const workflowIds = [...workflow.items('dependsOn'), ...actions];
  return [
    ...steps.map((step) => stepReference(documents, step)),
    ...workflowIds
      .filter(({ value }) => value !== undefined)
      .map((at) => toReference(at, workflowsNamed(documents, at))),
  ];
}

/** An operation or a message that a step can be about. */
interface Unit {
  readonly pointer: Pointer;
  /** The name of a message in its channel. */
  readonly name?: string;
}

function pointerOf({ pointer }: { readonly pointer: Pointer }): Pointer {
  return pointer;
}

function toReference(at: Cursor, targets: readonly Pointer[]): WorkflowReference {
  return { targets: [...new Set(targets)], unknown: targets.length === 0 ? [at] : [] };
}

/** Splits `$sourceDescriptions.<name>.<id>`. An id without a source is that of any source of its kind. */
function rootsNamed(
  documents: Documents,
  at: Cursor,
): readonly { readonly root: Cursor; readonly id: string }[] {
  const value = at.text() ?? '';
  const [, name, id = value] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/u.exec(value) ?? [];
  const documentName = pointerMembers(at.pointer)[0] ?? '';
  const sources = documents.workflows?.sources.get(documentName) ?? new Map<string, Pointer>();
  const places = name === undefined ? [...sources.values()] : [sources.get(name)];
  return places.flatMap((place) => {
    const root = place === undefined ? undefined : rootAt(documents, place);
    return root === undefined ? [] : [{ root, id }];
  });
}

function rootAt(documents: Documents, place: Pointer): Cursor | undefined {
  const name = pointerDocument(place);
  const document = documents[name];
  return document && Cursor.ofDocument(document.root, name).child(...pointerMembers(place));
}

function workflowsNamed(documents: Documents, at: Cursor): readonly Pointer[] {
  const id = at.text() ?? '';
  const [document = ''] = pointerMembers(at.pointer);
  const places = id.startsWith('$')
    ? rootsNamed(documents, at).map((named) => toPointer(named.root.pointer, named.id))
    : [toPointer('workflows#', document, id)];
  return places.flatMap((place) => workflowsById(documents).get(place)?.map(pointerOf) ?? []);
}

function unitsNamed(documents: Documents, at: Cursor): readonly Unit[] {
  return rootsNamed(documents, at).flatMap(({ root, id }): readonly Unit[] =>
    pointerDocument(root.pointer) === 'asyncapi'
      ? (messagesOf(documents).byOperation.get(id) ?? []).map(toUnit)
      : (operationsById(documents).get(id)?.slice(0, 1) ?? []),
  );
}

/** Returns what a path such as `{$sourceDescriptions.service.url}#/paths/~1token/post` names. */
function unitsAt(documents: Documents, at: Cursor): readonly Unit[] {
  const path = /^\{\$sourceDescriptions\.([^.{}]+)\.url\}(#\/.+)$/u.exec(at.text() ?? '');
  if (path === null) return [];
  const [, name = '', fragment = ''] = path;
  const [source] = rootsNamed(documents, at.withValue(`$sourceDescriptions.${name}.-`));
  if (source === undefined) return [];
  const { members } = splitReference(fragment);
  const target = members.reduce((holder, member) => holder.child(member).follow(), source.root);
  if (target.value === undefined) return [];
  if (pointerDocument(target.pointer) !== 'asyncapi') return [target];
  const { byPlace } = messagesOf(documents);
  return (byPlace.get(target.pointer) ?? []).map(toUnit);
}

// Indexes, because a document can have 100,000 steps.

const workflowsById = memoize((documents: Documents) =>
  Map.groupBy(workflowsOf(documents), (workflow) => {
    const [document = ''] = pointerMembers(workflow.pointer);
    return toPointer('workflows#', document, workflow.text('workflowId') ?? '');
  }),
);

const operationsById = memoize(({ openapi }: Documents) => {
  const root = Cursor.ofDocument(openapi?.root ?? {}, 'openapi');
  const sections = ['paths', 'webhooks', 'x-webhooks'];
  const sectionPlaces = sections.flatMap((section) => operationPlaces(root.child(section)));
  const all = [...sectionPlaces, ...callbackPlaces(sectionPlaces)].map(
    ({ operation }) => operation,
  );
  return Map.groupBy(all, (operation) => operation.text('operationId'));
});

/** The messages of an AsyncAPI document by the keys of operations, and by the places of operations and channels. */
const messagesOf = memoize(({ asyncapi }: Documents) => {
  const root = Cursor.ofDocument(asyncapi?.root ?? {}, 'asyncapi');
  const all = ['send', 'receive'].flatMap((action) => messagePlaces(root, action));
  const byChannel = Map.groupBy(all, ({ channel }) => channel.pointer);
  return {
    byOperation: Map.groupBy(all, ({ key }) => key),
    byPlace: new Map([...Map.groupBy(all, ({ operation }) => operation.pointer), ...byChannel]),
  };
});

function toUnit({ message }: MessagePlace): Unit {
  return { pointer: message.pointer, name: pointerMembers(message.pointer).at(-1) ?? '' };
}

import { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { decodeReference, type Pointer, pointerMembers } from '../json/pointer.ts';

/**
 * Returns a Workflow Object or a Step Object in which Reusable Objects and the `$ref`s of inputs are replaced by what
 * they refer to, and references to workflows by their unique ids.
 * @param ids the unique ids of workflows by their pointers
 */
export function resolveReferences(at: Cursor, ids: ReadonlyMap<Pointer, string>): JsonObject {
  const [name = ''] = pointerMembers(at.pointer);
  const document = Cursor.ofDocument(at.root, 'workflows').child(name);
  const context = { document, name, ids, isInside: new Set<string>() };
  const resolved = resolve(at.value ?? {}, context);
  if (!isJsonObject(resolved)) return {};
  // A step depends on steps, a workflow on workflows.
  const needed = resolved['workflowId'] === undefined ? [] : at.texts('dependsOn');
  return needed.length === 0 || resolved['steps'] === undefined
    ? resolved
    : { ...resolved, dependsOn: needed.map((id) => uniqueId(id, context)) };
}

interface ResolveContext {
  /** The Arazzo document. */
  readonly document: Cursor;
  readonly name: string;
  readonly ids: ReadonlyMap<Pointer, string>;
  /** The references that the value is inside of. */
  readonly isInside: ReadonlySet<string>;
}

function resolve(value: Json, context: ResolveContext): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((element) => resolve(element, context));
  if (typeof value === 'string')
    return value.replaceAll(/(?<=\$workflows\.)[\w-]+(?=\.(?:inputs|outputs)\.)/gu, (id) =>
      uniqueId(id, context),
    );
  if (!isJsonObject(value)) return value;
  const { reference, $ref } = value;
  if (typeof reference === 'string') {
    const [, kind = '', key = ''] =
      /^\$components\.(parameters|successActions|failureActions)\.(.+)$/u.exec(reference) ?? [];
    const component = context.document.valueIn('components', kind, key);
    const more = value['value'] === undefined ? {} : { value: value['value'] };
    if (isJsonObject(component)) return resolve({ ...component, ...more }, context);
  }
  if (typeof $ref === 'string' && $ref.startsWith('#/') && !context.isInside.has($ref)) {
    const target = context.document.valueIn(...pointerMembers(decodeReference($ref)));
    const isInside = new Set([...context.isInside, $ref]);
    if (target !== undefined) return resolve(target, { ...context, isInside });
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, memberValue]) => {
      if (memberValue === undefined) return [];
      if (member === 'workflowId' && typeof memberValue === 'string')
        return [[member, uniqueId(memberValue, context)] as const];
      return [[member, resolve(memberValue, context)] as const];
    }),
  );
}

/** Returns the unique id of a workflow that a document names: its own, or `$sourceDescriptions.<name>.<workflowId>`. */
function uniqueId(id: string, { document, name, ids }: ResolveContext): string {
  const [, source, localId = id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/u.exec(id) ?? [];
  const description = document
    .items('sourceDescriptions')
    .find((candidate) => candidate.text('name') === source);
  // A contract has published documents, in which the URL of an Arazzo document is `./<name>.json`.
  const url = description === undefined ? undefined : description.text('url');
  const owner = source === undefined ? name : (/^\.\/(.+)\.json$/u.exec(url ?? '')?.[1] ?? '');
  const workflows = document.child('workflows');
  const all = Cursor.ofDocument(document.root, 'workflows');
  const workflow = (source === undefined ? workflows : all.child(owner, 'workflows'))
    .items()
    .find((candidate) => candidate.text('workflowId') === localId);
  return (workflow && ids.get(workflow.pointer)) ?? id;
}

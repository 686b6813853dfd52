import type { Json as PlainJson } from '@countersign/simulator';
import { type Cursor, child, items, text, texts, toCursor } from '../../json/cursor.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { decodeReference, type Pointer, pointerMembers } from '../../json/pointer.ts';

/** An object of an Arazzo document without absent members. */
export interface PlainObject {
  readonly [member: string]: PlainJson;
}

/**
 * Returns a Workflow Object or a Step Object in which Reusable Objects and the `$ref`s of inputs are replaced by what
 * they refer to, and references to workflows by their unique ids.
 * @param ids the unique ids of workflows by their pointers
 */
export function resolveReferences(at: Cursor, ids: ReadonlyMap<Pointer, string>): PlainObject {
  const [name = ''] = pointerMembers(at.pointer);
  const document = child(toCursor(at.root, 'workflows'), name);
  const context = { document, name, ids, isInside: new Set<string>() };
  const resolved = resolve(at.value ?? {}, context);
  if (!isPlainObject(resolved)) return {};
  // A step depends on steps, a workflow on workflows.
  const needed = resolved['workflowId'] === undefined ? [] : texts(child(at, 'dependsOn'));
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

function resolve(value: Json, context: ResolveContext): PlainJson {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => resolve(one, context));
  if (typeof value === 'string')
    return value.replaceAll(/(?<=\$workflows\.)[\w-]+(?=\.(?:inputs|outputs)\.)/gu, (id) =>
      uniqueId(id, context),
    );
  if (!isJsonObject(value)) return value as PlainJson;
  const { reference, $ref } = value;
  if (typeof reference === 'string') {
    const [, kind = '', key = ''] =
      /^\$components\.(parameters|successActions|failureActions)\.(.+)$/u.exec(reference) ?? [];
    const found = child(context.document, 'components', kind, key).value;
    const more = value['value'] === undefined ? {} : { value: value['value'] };
    if (isJsonObject(found)) return resolve({ ...found, ...more }, context);
  }
  if (typeof $ref === 'string' && $ref.startsWith('#/') && !context.isInside.has($ref)) {
    const found = child(context.document, ...pointerMembers(decodeReference($ref))).value;
    const isInside = new Set([...context.isInside, $ref]);
    if (found !== undefined) return resolve(found, { ...context, isInside });
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, one]) => {
      if (one === undefined) return [];
      if (member === 'workflowId' && typeof one === 'string')
        return [[member, uniqueId(one, context)] as const];
      return [[member, resolve(one, context)] as const];
    }),
  );
}

/** Returns the unique id of a workflow that a document names: its own, or `$sourceDescriptions.<name>.<workflowId>`. */
function uniqueId(id: string, { document, name, ids }: ResolveContext): string {
  const [, source, own = id] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/u.exec(id) ?? [];
  const description = items(child(document, 'sourceDescriptions')).find(
    (one) => text(child(one, 'name')) === source,
  );
  // A contract has published documents, in which the URL of an Arazzo document is `./<name>.json`.
  const url = description === undefined ? undefined : text(child(description, 'url'));
  const owner = source === undefined ? name : (/^\.\/(.+)\.json$/u.exec(url ?? '')?.[1] ?? '');
  const workflows = child(document, 'workflows');
  const all = toCursor(document.root, 'workflows');
  const found = items(source === undefined ? workflows : child(all, owner, 'workflows')).find(
    (one) => text(child(one, 'workflowId')) === own,
  );
  return (found && ids.get(found.pointer)) ?? id;
}

function isPlainObject(value: PlainJson): value is PlainObject {
  return isJsonObject(value);
}

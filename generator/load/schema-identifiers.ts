import { pathToFileURL } from 'node:url';
import type { LocatedProblem } from '../diagnostics/problem.ts';
import { descend, referenceOf } from '../json/descend.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { decodeReference, escapeMember } from '../json/pointer.ts';
import { splitReference } from '../json/split-reference.ts';
import { schemaKeywords } from '../specification/schema-keywords.ts';

/** A schema resource: the file, or a schema with an `$id` (JSON Schema 2020-12 core, 4.3.5). */
interface SchemaResource {
  readonly uri: string;
  readonly members: readonly string[];
  readonly value: Json;
  /** The places with each `$anchor` or `$dynamicAnchor`. */
  readonly anchors: Map<
    string,
    { readonly members: readonly string[]; readonly dynamic: boolean }[]
  >;
}

interface WrittenReference {
  readonly holder: JsonObject;
  readonly keyword: '$ref' | '$dynamicRef';
  readonly reference: string;
  readonly members: readonly string[];
  readonly resource: SchemaResource;
}

/** What the members of an object are: keywords of a schema, other members of a document, or names of either. */
type Kind = 'schema' | 'object' | 'schema-names' | 'object-names';

const plainName = /^[a-z_][-\w.]*$/iu;

/** The number of schemas with a `$dynamicAnchor` of one name, their files, and whether any file refers to this name. */
interface DynamicName {
  count: number;
  readonly files: Set<string>;
  isReferenced: boolean;
}

/** The dynamic anchors of the files of a contract, by name. */
export type DynamicNames = Map<string, DynamicName>;

/** Returns whether a file may contain what `resolveIdentifiers` replaces. Most files do not, and need no walk. */
export function mayHaveIdentifiers(text: string): boolean {
  return /\$(?:id|anchor|dynamic)|\$ref["']?\s*:\s*["']?[^"'\s]*#[a-z_]/iu.test(text);
}

/**
 * Replaces references by `$anchor`, `$dynamicAnchor` and `$id` in a file by JSON Pointers, in place, because nothing
 * after loading knows these identifiers. Replaces a `$dynamicRef` by a `$ref` where it can have only one target.
 * Pointers below a schema with an `$id` become pointers into the file. Returns the references that it cannot replace.
 * @param path the absolute path of the file, which is its base URI
 * @see JSON Schema 2020-12 core, 8.2
 */
export function resolveIdentifiers(
  root: Json,
  path: string,
  dynamicNames: DynamicNames,
): readonly LocatedProblem[] {
  const { resources, references } = findIdentifiers(root, path);
  const problems = [...registerDynamicNames(dynamicNames, path, resources, references)];
  const byUri = new Map<string, SchemaResource | 'ambiguous'>();
  for (const resource of resources) {
    byUri.set(resource.uri, byUri.has(resource.uri) ? 'ambiguous' : resource);
  }
  for (const reference of references) {
    const target = toTarget(reference, byUri, root);
    const resolved =
      target === undefined || 'code' in target || reference.keyword === '$ref'
        ? target
        : checkStatic(reference, target, dynamicNames);
    if (resolved === undefined) continue;
    if ('code' in resolved) problems.push(resolved);
    else replaceReference(reference, resolved.members);
  }
  return problems;
}

function findIdentifiers(
  root: Json,
  path: string,
): {
  readonly resources: readonly SchemaResource[];
  readonly references: readonly WrittenReference[];
} {
  const documentResource: SchemaResource = {
    uri: pathToFileURL(path).href,
    members: [],
    value: root,
    anchors: new Map(),
  };
  const resources = [documentResource];
  const references: WrittenReference[] = [];

  const visitHolder = (
    holder: JsonObject,
    members: readonly string[],
    outer: SchemaResource,
  ): SchemaResource => {
    let resource = outer;
    const { $id: id } = holder;
    // Up to draft-07, `#name` in `$id` is an anchor.
    if (typeof id === 'string' && !id.startsWith('#')) {
      const uri = resolveUri(id, outer.uri)?.replace(/#$/u, '');
      if (uri !== undefined) {
        resource = { uri, members, value: holder, anchors: new Map() };
        resources.push(resource);
      }
    }
    const anchors = [
      holder.$anchor,
      typeof id === 'string' && id.startsWith('#') ? id.slice(1) : undefined,
    ];
    for (const name of [...anchors, holder.$dynamicAnchor]) {
      if (typeof name !== 'string' || name === '') continue;
      const places = resource.anchors.get(name) ?? [];
      places.push({ members, dynamic: name === holder.$dynamicAnchor });
      resource.anchors.set(name, places);
    }
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      const reference = holder[keyword];
      if (typeof reference !== 'string') continue;
      references.push({ holder, keyword, reference, members, resource });
    }
    return resource;
  };

  const visit = (
    value: Json | undefined,
    kind: Kind,
    members: readonly string[],
    outer: SchemaResource,
  ): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly Json[]).entries()) {
        visit(item, kind, [...members, String(index)], outer);
      }
      return;
    }
    if (!isJsonObject(value)) return;
    const isHolder = kind === 'schema' || kind === 'object';
    const resource = isHolder ? visitHolder(value, members, outer) : outer;
    for (const [member, child] of Object.entries(value)) {
      if (typeof child !== 'object' || child === null) continue;
      const childKind = isHolder ? kindOf(member, child, kind) : namedKinds[kind];
      if (childKind !== undefined) visit(child, childKind, [...members, member], resource);
    }
  };
  visit(root, 'object', [], documentResource);
  return { resources, references };
}

const namedKinds = { 'schema-names': 'schema', 'object-names': 'object' } as const;

/** The members of documents that contain values, not parts of the document. */
const dataMembers: ReadonlySet<string> = new Set(
  'const default enum example examples value'.split(' '),
);

/** The members of documents whose members have names that the author chose. */
const namedMembers: ReadonlySet<string> = new Set(
  (
    'callbacks channels content correlationIds encoding externalDocs headers links mapping messages messageTraits ' +
    'operations operationTraits parameters pathItems paths replies replyAddresses requestBodies responses schemes ' +
    'securitySchemes serverVariables servers tags variables webhooks'
  ).split(' '),
);

/** Returns what a member contains; `undefined` for data, extensions and unknown keywords of a schema. */
function kindOf(member: string, child: Json, kind: 'schema' | 'object'): Kind | undefined {
  if (dataMembers.has(member) || member.startsWith('x-')) return undefined;
  const holds = schemaKeywords.get(member)?.holds;
  if (holds === 'map') return 'schema-names';
  if (holds !== undefined || member === 'schema') return 'schema';
  if (kind === 'schema') return undefined;
  if (member === 'schemas') return 'schema-names';
  return namedMembers.has(member) && !Array.isArray(child) ? 'object-names' : 'object';
}

interface ResolvedTarget {
  readonly members: readonly string[];
  /** The name of the `$dynamicAnchor` that the reference names. */
  readonly dynamic?: string;
}

/** Returns the place in the file that a reference leads to; `undefined` where the reference stays as it is. */
function toTarget(
  schemaReference: WrittenReference,
  byUri: ReadonlyMap<string, SchemaResource | 'ambiguous'>,
  root: Json,
): ResolvedTarget | LocatedProblem | undefined {
  const { reference, resource: from, keyword } = schemaReference;
  const hash = reference.indexOf('#');
  const uri = hash === -1 ? reference : reference.slice(0, hash);
  const fragment = hash === -1 ? '' : decodeReference(reference.slice(hash + 1));
  const absolute = uri === '' ? from.uri : resolveUri(uri, from.uri);
  const resource = uri === '' ? from : byUri.get(absolute ?? '');
  if (resource === 'ambiguous') {
    const message = `\`${reference}\` is ambiguous: several schemas have this \`$id\`.`;
    return refuse(
      schemaReference,
      message,
      'Give each schema its own `$id`, or refer by JSON Pointer.',
    );
  }
  if (plainName.test(fragment)) {
    if (resource === undefined) {
      return refuse(
        schemaReference,
        `\`${reference}\` refers to an anchor of another file.`,
        'Refer to the schema by a JSON Pointer, such as `other.yaml#/$defs/Node`.',
      );
    }
    const [anchor, ...otherAnchors] = resource.anchors.get(fragment) ?? [];
    if (anchor === undefined) {
      const message = `\`${reference}\` refers to an anchor that does not exist.`;
      return refuse(schemaReference, message, 'Correct the name, or add `$anchor` to the schema.');
    }
    if (otherAnchors.length > 0) {
      const message = `\`${reference}\` is ambiguous: several schemas have this anchor.`;
      return refuse(
        schemaReference,
        message,
        'Give each schema its own anchor, or refer by JSON Pointer.',
      );
    }
    return anchor.dynamic
      ? { members: anchor.members, dynamic: fragment }
      : { members: anchor.members };
  }
  if (resource === undefined) {
    if (keyword === '$ref') return undefined;
    const message = `\`${keyword}\` to another file is not supported.`;
    return refuse(schemaReference, message, 'Use `$ref`.', 'unsupported-schema');
  }
  if (fragment !== '' && !fragment.startsWith('/')) {
    if (keyword === '$ref') return undefined;
    const message = `\`${reference}\` is neither an anchor nor a JSON Pointer.`;
    return refuse(schemaReference, message, 'Correct the reference.');
  }
  const { members } = splitReference(`#${hash === -1 ? '' : reference.slice(hash + 1)}`);
  const isWhole = resource.members.length === 0;
  if (isWhole && uri === '') return keyword === '$ref' ? undefined : { members };
  // Authors write `$id` beside pointers into the document, although it changes the base of references.
  if (uri === '' && !isWhole && !has(resource.value, members) && has(root, members)) {
    return { members };
  }
  return { members: [...resource.members, ...members] };
}

function has(value: Json, members: readonly string[]): boolean {
  return descend(value, members).depth === members.length;
}

/**
 * Returns the target of a `$dynamicRef` if no dynamic scope can change it: it names no `$dynamicAnchor`, or the only one
 * of this name.
 */
function checkStatic(
  schemaReference: WrittenReference,
  target: ResolvedTarget,
  dynamicNames: DynamicNames,
): ResolvedTarget | LocatedProblem {
  const { holder } = schemaReference;
  if (referenceOf(holder) !== undefined) {
    const message = '`$dynamicRef` beside `$ref` is not supported.';
    return refuse(
      schemaReference,
      message,
      'Put each into an item of `allOf`.',
      'unsupported-schema',
    );
  }
  const { dynamic } = target;
  if (dynamic === undefined || dynamicNames.get(dynamic)?.count === 1) return target;
  const message = `\`$dynamicRef\` can have several targets here: more than one schema has the \`$dynamicAnchor\` \`${dynamic}\`.`;
  return refuse(
    schemaReference,
    message,
    'Use `$ref` to one of them, or give each schema its own `$dynamicAnchor`.',
    'unsupported-schema',
  );
}

function refuse(
  { members, keyword }: WrittenReference,
  message: string,
  help: string,
  code: LocatedProblem['code'] = 'unresolved-reference',
): LocatedProblem {
  return { code, members: [...members, keyword], message, help };
}

/** Records the names of a file, and reports each anchor that another file's `$dynamicRef` could lead to. */
function registerDynamicNames(
  names: DynamicNames,
  path: string,
  resources: readonly SchemaResource[],
  references: readonly WrittenReference[],
): readonly LocatedProblem[] {
  const problems: LocatedProblem[] = [];
  for (const { anchors } of resources) {
    for (const [name, places] of anchors) {
      for (const { dynamic, members } of places) {
        if (!dynamic) continue;
        const usage = names.get(name) ?? { count: 0, files: new Set(), isReferenced: false };
        names.set(name, usage);
        if (usage.isReferenced && !usage.files.has(path)) {
          problems.push({
            code: 'unsupported-schema',
            members: [...members, '$dynamicAnchor'],
            message: `\`$dynamicAnchor\` \`${name}\` is not supported: another file has a \`$dynamicRef\` and a \`$dynamicAnchor\` of this name.`,
            help: 'Give the anchor another name, or use `$anchor` and `$ref`.',
          });
        }
        usage.count += 1;
        usage.files.add(path);
      }
    }
  }
  for (const { keyword, reference } of references) {
    const usage = names.get(reference.slice(reference.indexOf('#') + 1));
    if (keyword === '$dynamicRef' && usage?.files.has(path) === true) usage.isReferenced = true;
  }
  return problems;
}

function replaceReference({ holder, keyword }: WrittenReference, members: readonly string[]): void {
  // The file was just parsed, and nothing else has its value yet.
  const mutable = holder as Record<string, Json | undefined>;
  const pointer = members.map((member) => `/${escapeMember(member).replaceAll('%', '%25')}`);
  delete mutable[keyword];
  mutable.$ref = `#${pointer.join('')}`;
}

function resolveUri(uri: string, base: string): string | undefined {
  return URL.canParse(uri, base) ? new URL(uri, base).href : undefined;
}

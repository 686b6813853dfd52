import { Cursor } from '../json/cursor.ts';
import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject, toObject } from '../json/json.ts';
import { type DocumentName, type Pointer, pointerMembers, toPointer } from '../json/pointer.ts';
import type { LoadedWorkflows } from '../documents/documents.ts';
import { documentNameOf } from './document-name.ts';
import { toPath, toRelativeReference } from './reference.ts';
import type { WrittenPlace } from './origins.ts';
import type { Source } from './sources.ts';

/** The valid Arazzo documents of a contract, and the problems of the others. */
export interface ReadWorkflows {
  readonly loaded?: LoadedWorkflows;
  readonly diagnostics: readonly Diagnostic[];
  /** Returns where a place of an Arazzo document is written. */
  find(pointer: Pointer): WrittenPlace | undefined;
}

/**
 * Validates the Arazzo documents of a contract, and finds the documents that their source descriptions name.
 * @param entries the absolute paths of the documents that describe the service
 */
export async function readWorkflows(
  sources: readonly Source[],
  entries: ReadonlyMap<DocumentName, string>,
): Promise<ReadWorkflows> {
  const named = nameSources(sources);
  const documents = new Map<string, Pointer>([
    ...Array.from(entries, ([name, path]) => [path, `${name}#`] as const),
    ...Array.from(named, ([name, { path }]) => [path, toPointer('workflows#', name)] as const),
  ]);
  const diagnostics: Diagnostic[] = [];
  const roots = new Map<string, JsonObject>();
  const described = new Map<string, ReadonlyMap<string, Pointer>>();
  for (const [name, source] of named) {
    const structureProblems = await validate(source);
    const descriptions = structureProblems.length > 0 ? [] : describedBy(source, documents);
    const problems = [
      ...structureProblems,
      ...descriptions.filter((description) => 'severity' in description),
    ];
    diagnostics.push(...problems);
    if (problems.length > 0 || !isJsonObject(source.value)) continue;
    roots.set(name, source.value);
    described.set(
      name,
      new Map(
        descriptions.flatMap((description) => ('severity' in description ? [] : [description])),
      ),
    );
  }
  return {
    ...(roots.size === 0
      ? {}
      : { loaded: { root: Object.fromEntries(roots), sources: described } }),
    diagnostics,
    find(pointer) {
      const [name = '', ...members] = pointerMembers(pointer);
      const source = named.get(name);
      return source && { source, members };
    },
  };
}

/** Names each file after its base name, in letters that Arazzo recommends for names, and numbers equal names. */
function nameSources(sources: readonly Source[]): ReadonlyMap<string, Source> {
  const named = new Map<string, Source>();
  const taken = new Set<string>();
  for (const source of new Set(sources)) {
    const wantedName = documentNameOf(source.path).replaceAll(/[^A-Za-z0-9_-]+/gu, '-');
    let name = wantedName;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wantedName}-${count}`;
    taken.add(name.toLowerCase());
    named.set(name, source);
  }
  return named;
}

async function validate(source: Source): Promise<readonly Diagnostic[]> {
  const root: Json = source.value ?? {};
  const version = isJsonObject(root) ? root['arazzo'] : undefined;
  if (!isJsonObject(root) || typeof version !== 'string' || !/^1\.[01]\.\d+$/u.test(version)) {
    const message = `\`${source.file}\` is not an Arazzo document of version 1.0 or 1.1.`;
    const help = 'Start the document with `arazzo: 1.1.0`.';
    return [createDiagnostic('unsupported-version', message, source.locate(['arazzo']), { help })];
  }
  const { checkArazzo } = await import('./validate/check-arazzo.ts');
  const specVersion = version.startsWith('1.0') ? 'arazzo1' : 'arazzo1_1';
  const problems = await checkArazzo(source, root, specVersion);
  return problems.map(({ code, message, members }) =>
    createDiagnostic(code, message, source.locate(members)),
  );
}

/** Returns the name of each source description with the place that its URL names, or a diagnostic. */
function describedBy(
  source: Source,
  documents: ReadonlyMap<string, Pointer>,
): readonly (readonly [string, Pointer] | Diagnostic)[] {
  const root = Cursor.ofDocument(toObject(source.value), 'workflows');
  return root.items('sourceDescriptions').map((description) => {
    const [name = '', url = '', type] = ['name', 'url', 'type'].map((member) =>
      description.text(member),
    );
    const to = toPath(source.path, url);
    const place = 'path' in to ? documents.get(to.path) : undefined;
    const kind = place?.startsWith('workflows#') === true ? 'arazzo' : place?.slice(0, -1);
    if (place !== undefined && kind === type) return [name, place] as const;
    const paths = Array.from(documents.keys(), (path) => toRelativeReference(source.path, path));
    const at = description.child(place === undefined ? 'url' : 'type');
    return createDiagnostic(
      'invalid-arazzo',
      place === undefined
        ? `\`${url}\` is not a document of this contract.`
        : `\`${url}\` is a document of the type \`${kind ?? ''}\`.`,
      source.locate(pointerMembers(at.pointer)),
      { help: `Name one of \`${paths.join('`, `')}\`, with its \`type\`.` },
    );
  });
}

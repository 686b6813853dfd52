import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import { type Diagnostic, createDiagnostic } from '../diagnostics/diagnostic.ts';
import type { Json } from '../json/json.ts';
import type { Budgets } from './budgets.ts';
import { descend, referenceOf } from '../json/descend.ts';
import {
  type MutableJson,
  type MutableObject,
  type Origins,
  isMutableObject,
  originMembers,
  toOrigin,
} from './origins.ts';
import { splitReference, toPath } from './reference.ts';
import { type Source, type Sources, isRefusal } from './sources.ts';

/** An `x-` key that the types of the document do not describe, and the object that has it. */
export interface FoundExtension {
  readonly holder: MutableObject;
  readonly key: string;
}

interface ExtensionContext {
  readonly entry: Source;
  readonly sources: Sources;
  readonly origins: Origins;
  readonly budgets: Budgets;
}

/**
 * Replaces each reference to another file in these extensions by its target, at any depth. Redocly does not bundle the
 * content of unknown extensions, and a bundled document must not refer to another file.
 */
export async function expandExtensions(
  extensions: readonly FoundExtension[],
  { entry, sources, origins, budgets }: ExtensionContext,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  let nodes = 0;

  const expand = async (value: MutableJson, way: readonly string[]): Promise<MutableJson> => {
    if (typeof value !== 'object' || value === null || nodes > budgets.nodes) return value;
    const reference = referenceOf(value);
    const origin = origins.of(value);
    if (reference !== undefined && origin !== undefined && isMutableObject(value)) {
      const { source } = origin;
      const { uri, members } = splitReference(reference);
      if (uri === '' && source === entry) return value;
      const refuse = (code: DiagnosticCode, message: string): MutableJson => {
        const at = source.locate([...originMembers(origin), '$ref']);
        diagnostics.push(createDiagnostic(code, message, at));
        return value;
      };
      const to = uri === '' ? source : toPath(source.path, uri);
      if (!('path' in to)) return refuse(to.code, to.message);
      if (to.path === entry.path) {
        value.$ref = `#${reference.slice(reference.indexOf('#') + 1)}`;
        return value;
      }
      const target = await sources.readReferenced(to.path, uri);
      if (isRefusal(target)) return refuse(target.code, target.message);
      diagnostics.push(...target.diagnostics);
      if (target.diagnostics.length > 0) return value;
      const found = descend(target.value ?? null, members);
      if (target.value === undefined || found.depth < members.length) {
        const message = `\`${reference}\` refers to a member that does not exist.`;
        return refuse('unresolved-reference', message);
      }
      const place = JSON.stringify([target.path, members]);
      if (way.includes(place)) {
        return refuse('unresolved-reference', `\`${reference}\` is a circular reference.`);
      }
      nodes += countNodes(found.value);
      if (nodes > budgets.nodes) {
        const message = `The extensions lead to more than ${budgets.nodes} values (budget \`nodes\`).`;
        return refuse('contract-too-large', message);
      }
      return expand(origins.adopt(found.value, toOrigin(target, members)), [...way, place]);
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) value[index] = await expand(item, way);
    } else {
      for (const [member, child] of Object.entries(value)) value[member] = await expand(child, way);
    }
    return value;
  };

  for (const { holder, key } of extensions) {
    const value = holder[key];
    if (value !== undefined) holder[key] = await expand(value, []);
  }
  return diagnostics;
}

function countNodes(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1);
}

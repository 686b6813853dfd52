import type { DiagnosticCode } from '../diagnostics/catalogue.ts';
import { type Diagnostic, type Location, createDiagnostic } from '../diagnostics/diagnostic.ts';
import type { Json } from '../json/json.ts';
import type { Budgets } from './budgets.ts';
import { referenceOf } from '../json/descend.ts';
import { splitReference } from '../json/split-reference.ts';
import { readTarget } from './follow.ts';
import { type MutableJson, isMutableObject, originMembers, toOrigin } from './origins.ts';
import { toPath } from './reference.ts';
import type { FoundLedger, UnbundledDocument } from './validate/check-references.ts';

/**
 * Replaces each reference to another file in these entries of the ledger by its target, at any depth: the changes of an
 * answer are parts of the document that they change, and a bundled document must not refer to another file.
 */
export async function expandLedger(
  ledgers: readonly FoundLedger[],
  { entry, sources, origins }: UnbundledDocument,
  budgets: Budgets,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  let nodes = 0;

  const expand = async (value: MutableJson, way: readonly string[]): Promise<MutableJson> => {
    if (typeof value !== 'object' || value === null || nodes > budgets.maxNodes) return value;
    const reference = referenceOf(value);
    const origin = origins.of(value);
    if (reference !== undefined && origin !== undefined && isMutableObject(value)) {
      const { source } = origin;
      const { uri } = splitReference(reference);
      const to = uri === '' ? source : toPath(source.path, uri);
      if ('path' in to && to.path === entry.path) {
        if (uri !== '') value.$ref = `#${reference.slice(reference.indexOf('#') + 1)}`;
        return value;
      }
      const at = (): Location => source.locate([...originMembers(origin), '$ref']);
      const target = await readTarget(sources, source.path, reference, at);
      if ('length' in target) {
        diagnostics.push(...target);
        return value;
      }
      const refuse = (code: DiagnosticCode, message: string): MutableJson => {
        diagnostics.push(createDiagnostic(code, message, at()));
        return value;
      };
      const place = JSON.stringify([target.source.path, target.members]);
      if (way.includes(place)) {
        return refuse('unresolved-reference', `\`${reference}\` is a circular reference.`);
      }
      nodes += countNodes(target.value);
      if (nodes > budgets.maxNodes) {
        const message = `The ledger leads to more than ${budgets.maxNodes} values (budget \`maxNodes\`).`;
        return refuse('contract-too-large', message);
      }
      const targetOrigin = toOrigin(target.source, target.members);
      return expand(origins.adopt(target.value, targetOrigin), [...way, place]);
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) value[index] = await expand(item, way);
    } else {
      for (const [member, child] of Object.entries(value)) value[member] = await expand(child, way);
    }
    return value;
  };

  for (const { holder } of ledgers) {
    const value = holder['x-unstated'];
    if (value !== undefined) holder['x-unstated'] = await expand(value, []);
  }
  return diagnostics;
}

function countNodes(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1);
}

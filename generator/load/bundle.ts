import type { Document, Oas3Visitor } from '@redocly/openapi-core';
import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { referenceOf } from '../json/descend.ts';
import { isJsonObject } from '../json/json.ts';
import { unescapeMember } from '../json/pointer.ts';
import type { Budgets } from './budgets.ts';
import type { ReferenceRewriter } from './bundled-places.ts';
import { checkReferences, type UnbundledDocument } from './validate/check-references.ts';
import { expandLedger } from './expand-ledger.ts';
import { refersToFiles } from './follow.ts';
import { isMutableObject, type MutableJson, type MutableObject } from './origins.ts';
import { moveReference } from './reference.ts';
import { importBundleVisitor } from './validate/redocly-modules.ts';
import {
  isInExtension,
  resolveReferences,
  Source as RedoclySource,
} from './validate/redocly-walk.ts';
import { ContractResolver } from './validate/resolver.ts';
import { restoreObjectReferences } from './object-references.ts';

/** A bundled document, as far as its references allow. */
export interface BundleResult {
  /** Left out where references cannot be followed, or lead to more than the budgets allow. */
  readonly root?: MutableObject;
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of the references without a usable target. They remain in `root`. */
  readonly dangling: readonly Diagnostic[];
}

/**
 * Bundles the files of a document into one document. A target that can be a component moves to the components, under
 * the name of its file. Any other target replaces its reference. Without errors, every remaining `$ref` is local, except
 * in extensions, which are data. A reference without a usable target remains, relative to the entry file.
 * @param rewrite changes the references of each file before they are followed
 */
export async function bundle(
  draft: UnbundledDocument,
  budgets: Budgets,
  rewrite: ReferenceRewriter = () => {},
): Promise<BundleResult> {
  const { entry, root, sources, origins } = draft;
  const document = { source: new RedoclySource(entry.path, entry.text), parsed: root };
  const prepare: ReferenceRewriter = (value, from) => {
    if (draft.specVersion.startsWith('async')) draft.formattedSchemas.add(value);
    rewrite(value, from);
  };
  prepare(root, entry.path);
  const resolver = new ContractResolver(sources, origins, document, prepare);
  const checked = await checkReferences(draft, document, resolver);
  if (checked.broken) return { diagnostics: checked.diagnostics, dangling: [] };
  const dangling = checked.diagnostics;
  const diagnostics = await expandLedger(checked.ledgers, draft, budgets);

  try {
    // Following every reference again takes as long as checking them did.
    if (refersToFiles(root)) await moveIn(document, root, draft, resolver);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The document cannot be bundled: ${reason}.`;
    const code = error instanceof RangeError ? 'contract-too-large' : 'unresolved-reference';
    const failure = createDiagnostic(code, message, entry.locate([]));
    return { diagnostics: [...diagnostics, failure], dangling };
  }
  for (const { holder, member, base } of checked.dangling) {
    const reference = holder[member];
    if (base !== entry.path && typeof reference === 'string') {
      holder[member] = moveReference(reference, base, entry.path);
    }
  }
  if (draft.specVersion === 'async3') restoreObjectReferences(root, sources, origins);

  const detachedRoot = origins.detach(root, budgets);
  if (detachedRoot !== undefined) return { root: detachedRoot, diagnostics, dangling };
  const message = `The bundled document has more than ${budgets.maxNodes} values or ${budgets.maxDepth} levels (budgets \`maxNodes\`, \`maxDepth\`).`;
  const tooLarge = createDiagnostic('contract-too-large', message, entry.locate([]));
  return { diagnostics: [...diagnostics, tooLarge], dangling };
}

/**
 * Moves the targets of references to other files into the document.
 * @throws any error that Redocly throws
 */
async function moveIn(
  document: Document,
  root: MutableObject,
  draft: UnbundledDocument,
  resolver: ContractResolver,
): Promise<void> {
  const added = ownNamesOnly(root);
  const tildeReferences = new Set(tildeNames(root).map(({ reference }) => reference));
  const { specVersion, types } = draft;
  const makeBundleVisitor = await importBundleVisitor();
  const { resolvedRefMap, walk } = await resolveReferences(document, specVersion, types, resolver);
  const visitor = makeBundleVisitor({
    version: specVersion === 'async2' || specVersion === 'async3' ? specVersion : 'oas3',
    dereference: false,
    rootDocument: document,
    resolvedRefMap,
    // Redocly warns where it renames one of two different schemas with the same name; the new suffix is visible enough.
    componentRenamingConflicts: 'off',
    keepUrlRefs: true,
  });
  walk([withoutExtensions(visitor)]);
  renameTildeNames(
    root,
    tildeNames(root).filter(({ reference }) => !tildeReferences.has(reference)),
  );
  for (const section of added) {
    const { [section]: members } = isMutableObject(root.components) ? root.components : {};
    if (isMutableObject(root.components) && isJsonObject(members)) {
      if (Object.keys(members).length === 0) delete root.components[section];
    }
  }
  if (isJsonObject(root.components) && Object.keys(root.components).length === 0) {
    delete root.components;
  }
}

/** Returns the visitor without its treatment of references in extensions. */
function withoutExtensions(visitor: Oas3Visitor): Oas3Visitor {
  const { ref } = visitor;
  const leave = typeof ref === 'object' ? ref.leave : undefined;
  if (leave === undefined) throw new TypeError("Redocly's bundling has no visitor of references.");
  return {
    ...visitor,
    ref: {
      leave(node, context, resolved) {
        if (!isInExtension(context)) leave(node, context, resolved);
      },
    },
  };
}

interface TildeName {
  readonly section: MutableObject;
  readonly name: string;
  /** The reference as Redocly writes it, without escapes. */
  readonly reference: string;
}

/** Returns the components whose names contain `~`, which neither OpenAPI nor AsyncAPI allows. */
function tildeNames({ components }: MutableObject): readonly TildeName[] {
  const sections = isMutableObject(components) ? Object.entries(components) : [];
  return sections.flatMap(([sectionName, section]) =>
    isMutableObject(section)
      ? Object.keys(section)
          .filter((name) => name.includes('~'))
          .map((name) => ({ section, name, reference: `#/components/${sectionName}/${name}` }))
      : [],
  );
}

/**
 * Renames components that Redocly named by the last member of a pointer. It copies escaped characters into the name and
 * does not escape the name in references, so that these do not lead to it.
 */
function renameTildeNames(root: MutableObject, components: readonly TildeName[]): void {
  if (components.length === 0) return;
  const renamed = new Map<string, string>();
  for (const { section, name, reference } of components) {
    const wanted = unescapeMember(name).replaceAll(/[^\w.-]/gu, '_');
    let free = wanted;
    for (let suffix = 2; free in section; suffix += 1) free = `${wanted}-${suffix}`;
    const { [name]: component } = section;
    if (component === undefined) continue;
    delete section[name];
    section[free] = component;
    renamed.set(reference, `${reference.slice(0, -name.length)}${free}`);
  }
  const seen = new Set<MutableJson>();
  const visit = (value: MutableJson): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const target = renamed.get(referenceOf(value) ?? '');
    if (target !== undefined && isMutableObject(value)) value.$ref = target;
    for (const child of Object.values(value)) visit(child);
  };
  visit(root);
}

/**
 * Removes the prototypes of the component sections until the document is copied, and adds missing sections. Redocly
 * looks up component names in plain objects, where `constructor` seems to be taken. Returns the names of the added
 * sections, which stay empty where nothing moves there.
 */
function ownNamesOnly(root: MutableObject): readonly string[] {
  const added: string[] = [];
  const components = isMutableObject(root.components) ? root.components : {};
  if (root.components !== undefined && root.components !== components) return added;
  root.components = components;
  const sections = ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers'];
  for (const section of [...sections, 'links', 'callbacks']) {
    if (components[section] === undefined) {
      components[section] = {};
      added.push(section);
    }
    const members = components[section];
    if (isMutableObject(members)) Object.setPrototypeOf(members, null);
  }
  return added;
}

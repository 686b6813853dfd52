import { bundleDocument, Source as RedoclySource, type Document } from '@redocly/openapi-core';
import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { isJsonObject } from '../json.ts';
import type { Budgets } from './budgets.ts';
import type { ReferenceRewriter } from './bundled-places.ts';
import { checkReferences, type Draft } from './check-references.ts';
import { expandExtensions } from './expand-extensions.ts';
import { refersToFiles } from './follow.ts';
import { isMutableObject, type MutableObject } from './origins.ts';
import { createRedoclyConfig } from './redocly-config.ts';
import { ContractResolver } from './resolver.ts';
import { restoreOperationReferences } from './operation-references.ts';

/** A document in one piece, as far as its references allow. */
export interface Bundle {
  /** Left out where references cannot be followed at all, or lead to more than the budgets allow. */
  readonly root?: MutableObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts the files of a document into one: what has a place among the components moves there under the name of its file,
 * everything else replaces its reference. Without errors, every `$ref` left is local. `rewrite` sees each file's references
 * first.
 */
export async function bundle(
  draft: Draft,
  budgets: Budgets,
  rewrite: ReferenceRewriter = () => {},
): Promise<Bundle> {
  const { entry, root, sources, origins, types } = draft;
  const document = { source: new RedoclySource(entry.path, entry.text), parsed: root };
  rewrite(root, entry.path);
  const resolver = new ContractResolver(sources, origins, document, rewrite);
  const checked = await checkReferences(draft, document, resolver);
  if (checked.broken) return { diagnostics: checked.diagnostics };
  const diagnostics = [
    ...checked.diagnostics,
    ...(await expandExtensions(checked.extensions, { entry, sources, origins, budgets })),
  ];

  try {
    // Following every reference once more takes as long as checking them did.
    if (refersToFiles(root)) await moveIn(document, root, types, resolver);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The document cannot be put into one piece: ${reason}.`;
    const code = error instanceof RangeError ? 'contract-too-large' : 'unresolved-reference';
    return { diagnostics: [...diagnostics, createDiagnostic(code, message, entry.locate([]))] };
  }
  if (draft.specVersion === 'async3') restoreOperationReferences(root, sources, origins);

  const whole = origins.detach(root, budgets);
  if (whole !== undefined) return { root: whole, diagnostics };
  const message = `The bundled document has more than ${budgets.nodes} values or ${budgets.depth} levels (budgets \`nodes\`, \`depth\`).`;
  return {
    diagnostics: [
      ...diagnostics,
      createDiagnostic('contract-too-large', message, entry.locate([])),
    ],
  };
}

/** Brings what references to other files lead to into the document. Throws what Redocly throws. */
async function moveIn(
  document: Document,
  root: MutableObject,
  types: Draft['types'],
  resolver: ContractResolver,
): Promise<void> {
  const added = ownNamesOnly(root);
  await bundleDocument({
    document,
    types,
    config: await createRedoclyConfig({}),
    externalRefResolver: resolver,
    // Redocly warns that two schemas of one name got different ones; the suffix is visible enough.
    componentRenamingConflicts: 'off',
    keepUrlRefs: true,
  });
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

/**
 * Redocly looks component names up in plain objects, where `constructor` seems to be taken. The sections lose their
 * prototype until the document is copied. Names the sections added, which stay empty where nothing moves there.
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

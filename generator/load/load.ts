import { resolve } from 'node:path';
import type { ContractFiles } from './contract-files.ts';
import {
  type Diagnostic,
  type Location,
  createDiagnostic,
  sortDiagnostics,
} from '../diagnostics/diagnostic.ts';
import { optional } from '../json/json.ts';
import { type DocumentName, pointerDocument, pointerMembers } from '../json/pointer.ts';
import { type Budgets, defaultBudgets } from './budgets.ts';
import type { BundledDocument } from './assemble.ts';
import type { Documents, LoadedDocument } from '../documents/documents.ts';
import { Origins } from './origins.ts';
import type { Overlay } from './overlays/overlay.ts';
import { type Source, commonFolder, createSources, isRefusal, toFile } from './sources.ts';
import { checkVersion } from './version.ts';
import { readWorkflows } from './workflows.ts';

/** Options for loading a contract. */
export interface LoadOptions {
  /** The absolute folder of the configuration file. Paths and locations are relative to it. */
  readonly folder: string;
  readonly budgets?: Partial<Budgets> | undefined;
  /** Texts that replace those of files, by absolute path: how the contract would be with a change. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

/**
 * Reads a contract: each file once, no referenced file outside the contract's folder, and nothing from the network.
 * Reports each problem of the contract as a diagnostic with its place, and never throws for one. Returns a document
 * with problems where it can be bundled, so that later stages can report more. Leaves out a document that cannot be
 * bundled.
 */
export async function load(files: ContractFiles, options: LoadOptions): Promise<Documents> {
  const { folder, texts } = options;
  const budgets: Budgets = { ...defaultBudgets, ...options.budgets };
  const entries = new Map<DocumentName, string>();
  for (const name of ['openapi', 'asyncapi'] as const) {
    const path = files[name];
    if (path !== undefined) entries.set(name, resolve(folder, path));
  }
  const overlayPaths = (files.overlays ?? []).map((path) => resolve(folder, path));
  const workflowPaths = (files.workflows ?? []).map((path) => resolve(folder, path));
  const root =
    files.folder === undefined
      ? commonFolder([...entries.values(), ...overlayPaths, ...workflowPaths])
      : resolve(folder, files.folder);
  const sources = createSources(folder, root, budgets, texts);
  const origins = new Origins(sources);
  const diagnostics: Diagnostic[] = [];

  const overlays: Overlay[] = [];
  const withOverlayHelp = async (
    diagnostics: readonly Diagnostic[],
    name?: DocumentName,
  ): Promise<readonly Diagnostic[]> => {
    if (diagnostics.length === 0 || !overlays.some((overlay) => overlay.extends === name))
      return diagnostics;
    const { beforeOverlays } = await import('./assemble.ts');
    return beforeOverlays(diagnostics);
  };
  const read = async (path: string, name?: DocumentName): Promise<Source | undefined> => {
    const source = await sources.readNamed(path);
    if (isRefusal(source)) {
      const start: Location = { file: toFile(folder, path), line: 1, column: 1 };
      diagnostics.push(createDiagnostic(source.code, source.message, start));
      return undefined;
    }
    diagnostics.push(...(await withOverlayHelp(source.diagnostics, name)));
    return source.diagnostics.length === 0 ? source : undefined;
  };

  for (const path of overlayPaths) {
    const source = await read(path);
    if (source === undefined) continue;
    const { readOverlay } = await import('./overlays/overlay.ts');
    const overlay = await readOverlay(source, entries);
    if ('actions' in overlay) overlays.push(overlay);
    else diagnostics.push(...overlay);
  }

  const context = { sources, origins, budgets };
  const bundled: BundledDocument[] = [];
  const loaded = new Map<DocumentName, LoadedDocument>();
  const entrySources = new Map<DocumentName, Source>();
  for (const [name, path] of entries) {
    const source = await read(path, name);
    if (source === undefined) continue;
    entrySources.set(name, source);
    const versioned = checkVersion(source, name);
    if ('severity' in versioned) {
      diagnostics.push(...(await withOverlayHelp([versioned], name)));
      continue;
    }
    if (versioned.recovered !== undefined) diagnostics.push(versioned.recovered);
    const { bundleDocument } = await import('./assemble.ts');
    const ofDocument = overlays.filter((overlay) => overlay.extends === name);
    bundled.push(await bundleDocument(name, source, versioned, ofDocument, context));
  }
  let answers: Pick<Documents, 'answerPlaces' | 'pendingActions'> = {};
  if (bundled.length > 0) {
    const { applyAnswers, pendingActionsOf, validateBundled } = await import('./assemble.ts');
    const { documents, ...settled } = await applyAnswers(bundled, context);
    for (const document of documents) {
      const validated = await validateBundled(document, context);
      diagnostics.push(...validated.diagnostics);
      const { name, entry, versioned } = document;
      const { root, version = versioned.version } = validated;
      if (root !== undefined) loaded.set(name, { version, file: entry.file, root });
    }
    const pendingActions = await pendingActionsOf(loaded);
    answers = { ...settled, ...(pendingActions.length === 0 ? {} : { pendingActions }) };
  }

  const arazzo: Source[] = [];
  for (const path of workflowPaths) {
    const source = await read(path);
    if (source !== undefined) arazzo.push(source);
  }
  const workflows = await readWorkflows(arazzo, entries);
  diagnostics.push(...workflows.diagnostics);

  return {
    ...optional('openapi', loaded.get('openapi')),
    ...optional('asyncapi', loaded.get('asyncapi')),
    ...optional('workflows', workflows.loaded),
    files: sources.all().map(({ file, text }) => ({ path: file, text })),
    diagnostics: sortDiagnostics(withoutDuplicates(diagnostics)),
    ...answers,
    locate(pointer) {
      const name = pointerDocument(pointer);
      if (name === 'workflows') return workflows.locate(pointer);
      const [document, source, path] = [
        loaded.get(name),
        entrySources.get(name),
        entries.get(name),
      ];
      return document === undefined || source === undefined
        ? { file: path === undefined ? '' : toFile(folder, path), line: 1, column: 1 }
        : origins.locate(document.root, pointerMembers(pointer), source);
    },
  };
}

/**
 * Removes duplicate diagnostics. A file that both documents use is checked as part of each; the first document's
 * diagnostics for a place suffice.
 */
function withoutDuplicates(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = new Map<string, string>();
  return diagnostics.filter(({ code, file, line, column, pointer = '' }) => {
    const place = JSON.stringify([code, file, line, column]);
    const document = pointer.slice(0, pointer.indexOf('#'));
    const firstDocument = first.get(place) ?? document;
    first.set(place, firstDocument);
    return firstDocument === document;
  });
}

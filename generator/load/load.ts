import { resolve } from 'node:path';
import type { ContractFiles } from './contract-files.ts';
import {
  type Diagnostic,
  type Location,
  createDiagnostic,
  sortDiagnostics,
} from '../diagnostics/diagnostic.ts';
import { optional } from '../json/json.ts';
import {
  type DocumentName,
  type Pointer,
  citation,
  pointerDocument,
  pointerMembers,
} from '../json/pointer.ts';
import { type Budgets, defaultBudgets } from './budgets.ts';
import type { BundledDocument, LoadContext } from './assemble.ts';
import type { Documents, LoadedDocument, SourceFile } from '../documents/documents.ts';
import { Origins, type WrittenPlace } from './origins.ts';
import type { Overlay } from './overlays/overlay.ts';
import { commonFolder, toFile } from './file-paths.ts';
import { type Source, createSources, isRefusal } from './sources.ts';
import { checkVersion } from './version.ts';
import { type ReadWorkflows, readWorkflows } from './workflows.ts';

/** Options for loading a contract. */
export interface LoadOptions {
  /** The absolute folder of the configuration file. Paths and locations are relative to it. */
  readonly folder: string;
  readonly budgets?: Partial<Budgets> | undefined;
  /** Texts that replace those of files, by absolute path, to load the contract as it would be after a change. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
}

/**
 * Reads a contract: each file once, no file outside the contract's folder, and nothing from the network. Reports each
 * problem of the contract as a diagnostic with its place, and never throws for one. Returns each document that can be
 * bundled, even with problems, so that later stages can report more.
 */
export async function load(files: ContractFiles, options: LoadOptions): Promise<Documents> {
  const loading = new Loading(files, options);
  const overlays = await loading.readOverlays();
  const bundledDocuments = await loading.bundleDocuments(overlays);
  const { documents, ...answers } = await loading.settleAndValidate(bundledDocuments);
  const workflows = await loading.readWorkflows();
  const find = (pointer: Pointer): WrittenPlace | undefined => {
    const name = pointerDocument(pointer);
    return name === 'workflows'
      ? workflows.find(pointer)
      : loading.find(pointer, name, documents.get(name));
  };
  return {
    ...optional('openapi', documents.get('openapi')),
    ...optional('asyncapi', documents.get('asyncapi')),
    ...optional('workflows', workflows.loaded),
    files: loading.files(),
    diagnostics: loading.diagnostics(),
    ...answers,
    locate(pointer) {
      const place = find(pointer);
      if (place !== undefined) return place.source.locate(place.members);
      const name = pointerDocument(pointer);
      return name === 'workflows' ? { file: '', line: 1, column: 1 } : loading.startOf(name);
    },
    cite(pointer) {
      const place = find(pointer);
      return place && citation(place.source.file, place.members);
    },
  };
}

/** The documents of a contract, with the answers of their ledgers. */
interface SettledDocuments extends Pick<Documents, 'answerPlaces' | 'pendingActions'> {
  readonly documents: ReadonlyMap<DocumentName, LoadedDocument>;
}

/** The state of loading a contract. The steps are called once each, in the order of the methods. */
class Loading {
  readonly #folder: string;
  /** The absolute paths of the documents that describe the service. */
  readonly #entryPaths = new Map<DocumentName, string>();
  readonly #overlayPaths: readonly string[];
  readonly #workflowPaths: readonly string[];
  readonly #context: LoadContext;
  readonly #entrySources = new Map<DocumentName, Source>();
  readonly #diagnostics: Diagnostic[] = [];

  constructor(files: ContractFiles, { folder, budgets, texts }: LoadOptions) {
    this.#folder = folder;
    for (const name of ['openapi', 'asyncapi'] as const) {
      const path = files[name];
      if (path !== undefined) this.#entryPaths.set(name, resolve(folder, path));
    }
    this.#overlayPaths = (files.overlays ?? []).map((path) => resolve(folder, path));
    this.#workflowPaths = (files.workflows ?? []).map((path) => resolve(folder, path));
    const root =
      files.folder === undefined
        ? commonFolder([
            ...this.#entryPaths.values(),
            ...this.#overlayPaths,
            ...this.#workflowPaths,
          ])
        : resolve(folder, files.folder);
    const allBudgets: Budgets = { ...defaultBudgets, ...budgets };
    const sources = createSources(folder, root, allBudgets, texts);
    this.#context = { sources, origins: new Origins(sources), budgets: allBudgets };
  }

  async readOverlays(): Promise<readonly Overlay[]> {
    const overlays: Overlay[] = [];
    for (const path of this.#overlayPaths) {
      const source = await this.#read(path);
      if (source === undefined) continue;
      const { readOverlay } = await import('./overlays/overlay.ts');
      const overlay = await readOverlay(source, this.#entryPaths);
      if ('actions' in overlay) overlays.push(overlay);
      else this.#diagnostics.push(...overlay);
    }
    return overlays;
  }

  async bundleDocuments(overlays: readonly Overlay[]): Promise<readonly BundledDocument[]> {
    const bundledDocuments: BundledDocument[] = [];
    for (const [name, path] of this.#entryPaths) {
      const ofDocument = overlays.filter((overlay) => overlay.extends === name);
      const document = await this.#bundle(name, path, ofDocument);
      if (document !== undefined) bundledDocuments.push(document);
    }
    return bundledDocuments;
  }

  async settleAndValidate(bundledDocuments: readonly BundledDocument[]): Promise<SettledDocuments> {
    const documents = new Map<DocumentName, LoadedDocument>();
    if (bundledDocuments.length === 0) return { documents };
    const { applyAnswers, pendingActionsOf, validateBundled } = await import('./assemble.ts');
    const answered = await applyAnswers(bundledDocuments, this.#context);
    for (const document of answered.documents) {
      const { diagnostics, root, version } = await validateBundled(document, this.#context);
      this.#diagnostics.push(...diagnostics);
      if (root === undefined) continue;
      documents.set(document.name, {
        version: version ?? document.versioned.version,
        file: document.entry.file,
        root,
      });
    }
    const pendingActions = await pendingActionsOf(documents);
    return { ...answered, documents, ...(pendingActions.length === 0 ? {} : { pendingActions }) };
  }

  async readWorkflows(): Promise<ReadWorkflows> {
    const sources: Source[] = [];
    for (const path of this.#workflowPaths) {
      const source = await this.#read(path);
      if (source !== undefined) sources.push(source);
    }
    const workflows = await readWorkflows(sources, this.#entryPaths);
    this.#diagnostics.push(...workflows.diagnostics);
    return workflows;
  }

  files(): readonly SourceFile[] {
    return this.#context.sources.all().map(({ file, text }) => ({ path: file, text }));
  }

  diagnostics(): readonly Diagnostic[] {
    const warnings = this.#context.sources.all().flatMap((source) => source.warnings);
    return sortDiagnostics(withoutDuplicates([...this.#diagnostics, ...warnings]));
  }

  /** Returns the place in the files of a pointer into a document; `undefined` if the document could not be loaded. */
  find(
    pointer: Pointer,
    name: DocumentName,
    document: LoadedDocument | undefined,
  ): WrittenPlace | undefined {
    const source = this.#entrySources.get(name);
    return document === undefined || source === undefined
      ? undefined
      : this.#context.origins.find(document.root, pointerMembers(pointer), source);
  }

  /** Returns the start of a document's file. */
  startOf(name: DocumentName): Location {
    const path = this.#entryPaths.get(name);
    return path === undefined ? { file: '', line: 1, column: 1 } : this.#startOf(path);
  }

  async #bundle(
    name: DocumentName,
    path: string,
    overlays: readonly Overlay[],
  ): Promise<BundledDocument | undefined> {
    const source = await this.#read(path, overlays);
    if (source === undefined) return undefined;
    this.#entrySources.set(name, source);
    const versioned = checkVersion(source, name);
    if ('severity' in versioned) {
      this.#diagnostics.push(...(await beforeOverlays([versioned], overlays)));
      return undefined;
    }
    if (versioned.recovered !== undefined) this.#diagnostics.push(versioned.recovered);
    const { bundleDocument } = await import('./assemble.ts');
    return await bundleDocument(name, source, versioned, overlays, this.#context);
  }

  /** Reads a file of the configuration. Returns `undefined` if it cannot be read, or is not valid YAML or JSON. */
  async #read(path: string, overlays: readonly Overlay[] = []): Promise<Source | undefined> {
    const source = await this.#context.sources.readNamed(path);
    if (isRefusal(source)) {
      const { code, message } = source;
      this.#diagnostics.push(createDiagnostic(code, message, this.#startOf(path)));
      return undefined;
    }
    this.#diagnostics.push(...(await beforeOverlays(source.diagnostics, overlays)));
    return source.diagnostics.length === 0 ? source : undefined;
  }

  #startOf(path: string): Location {
    return { file: toFile(this.#folder, path), line: 1, column: 1 };
  }
}

/** Adds to the help of a document's problems that overlays cannot correct them, because they apply later. */
async function beforeOverlays(
  diagnostics: readonly Diagnostic[],
  overlays: readonly Overlay[],
): Promise<readonly Diagnostic[]> {
  if (diagnostics.length === 0 || overlays.length === 0) return diagnostics;
  const { beforeOverlays: withHelp } = await import('./assemble.ts');
  return withHelp(diagnostics);
}

/**
 * Removes duplicate diagnostics. A file that both documents use is checked as a part of each, so only the first document's
 * diagnostics for a place are kept.
 */
function withoutDuplicates(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const firstDocuments = new Map<string, string>();
  return diagnostics.filter(({ code, file, line, column, pointer = '' }) => {
    const place = JSON.stringify([code, file, line, column]);
    const document = pointer.slice(0, pointer.indexOf('#'));
    const firstDocument = firstDocuments.get(place) ?? document;
    firstDocuments.set(place, firstDocument);
    return firstDocument === document;
  });
}

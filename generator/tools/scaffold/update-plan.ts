import { posix } from 'node:path';
import { Node } from 'ts-morph';
import { memberName } from '../../targets/escape.ts';
import {
  parseSources,
  syntaxErrors,
  type ApplicationSources,
  type SourceTexts,
} from './application-sources.ts';
import type { Registration } from './find-registration.ts';
import type { HandlerPlan } from './plan-handlers.ts';
import { endingOf, freeName, insertImports } from './import-insertion.ts';
import { insert, isPureInsertion } from './insertion.ts';
import { insertElements } from './list-insertion.ts';
import { readList } from './read-list.ts';
import { ScaffoldError, wholeFile, type SourcePlace } from './scaffold-error.ts';

/** A file to create. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** An existing file of the user, before and after insertions. */
export interface FileEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The changes that add the missing handlers to an application. */
export interface UpdatePlan {
  readonly creates: readonly NewFile[];
  readonly edits: readonly FileEdit[];
  /** The new handlers and the paths of their files. */
  readonly added: readonly { readonly name: string; readonly path: string }[];
  /** Registered handlers that the contract no longer has. */
  readonly removed: readonly { readonly name: string; readonly place: SourcePlace }[];
  /** Missing handlers that are not added because `otherwise` handles everything without a handler. */
  readonly rest: readonly string[];
  /** The place where handlers are registered. */
  readonly registered: SourcePlace;
}

/** The handlers that an application needs, and how to find and render them. */
export interface WantedHandlers {
  readonly handlers: readonly HandlerPlan[];
  /** The packages that a file must mention to be parsed. */
  readonly packages: readonly string[];
  find(sources: ApplicationSources): Registration | undefined;
  /** Renders the file of a handler. */
  render(handler: HandlerPlan): Promise<string>;
  /** Whether to also add handlers for what `otherwise` handles. */
  readonly all: boolean;
}

/**
 * Plans the changes that an application needs to have all handlers. Returns `undefined` if the application registers no
 * handlers. Existing files get insertions only. The resulting application is parsed again to verify the plan.
 * @throws ScaffoldError
 */
export async function planUpdate(
  sources: SourceTexts,
  wanted: WantedHandlers,
): Promise<UpdatePlan | undefined> {
  const application = parseSources(sources, wanted.packages);
  const registration = wanted.find(application);
  if (registration === undefined) return undefined;
  const { handlers, takesRest, list } = registration;
  const known = new Set(wanted.handlers.map(({ name }) => name));
  const missing = wanted.handlers.filter(({ name }) => !handlers.has(name));
  const adds = takesRest && !wanted.all ? [] : missing;
  const common = {
    removed: Array.from(handlers, ([name, place]) => ({ name, place })).filter(
      ({ name }) => !known.has(name),
    ),
    rest: adds.length === 0 ? missing.map(({ name }) => name) : [],
    registered: application.placeOf(list),
  };
  if (adds.length === 0) return { ...common, creates: [], edits: [], added: [] };

  const folder = folderOfHandlers(application, registration);
  const ending = endingOf(registration.file);
  const extension = ending.startsWith('.m') ? '.mts' : '.ts';
  const files = adds.map((handler) => ({
    handler,
    path: posix.join(folder, handler.fileName + extension),
  }));
  const creates: NewFile[] = [];
  for (const { handler, path } of files) {
    if (sources.has(path)) assertExports(application, path, handler);
    else creates.push({ path, text: await wanted.render(handler) });
  }
  const edit = planEdit(application, registration, files, sources);
  const updated = new Map(sources).set(edit.path, edit.after);
  for (const { path, text } of creates) updated.set(path, text);
  assertComplete(
    updated,
    wanted,
    [...handlers.keys(), ...adds.map(({ name }) => name)],
    files.map(({ path }) => path),
  );
  return {
    ...common,
    creates,
    edits: [edit],
    added: files.map(({ handler, path }) => ({ name: handler.name, path })),
  };
}

function planEdit(
  application: ApplicationSources,
  { file, list }: Registration,
  files: readonly { readonly handler: HandlerPlan; readonly path: string }[],
  sources: SourceTexts,
): FileEdit {
  const from = posix.dirname(application.pathOf(file));
  const imports = files.map(({ handler, path }) => {
    const relative = posix.relative(from, path.replace(/\.m?ts$/u, ''));
    return {
      name: handler.exportName,
      local: freeName(file, handler.exportName),
      path: relative.startsWith('.') ? relative : `./${relative}`,
      key: handler.name,
    };
  });
  const elements = imports.map(({ key, local }) =>
    Node.isObjectLiteralExpression(list) ? `${toKey(key, list.getProperties())}: ${local}` : local,
  );
  const insertions = [...insertImports(file, imports), ...insertElements(readList(list), elements)];
  const text = file.getFullText();
  const path = application.pathOf(file);
  const before = sources.get(path) ?? text;
  const inserted = insert(text, insertions);
  if (!isPureInsertion(text, inserted, insertions) || syntaxErrors(path, inserted).length > 0)
    throw createUnreadableError(application.placeOf(list));
  return { path, before, after: before.slice(0, before.length - text.length) + inserted };
}

/**
 * Parses the changed application. Asserts that it has the old and the new handlers, and that it imports the new files.
 * @throws ScaffoldError `syntax-error`, `unreadable-registration`
 */
function assertComplete(
  updated: SourceTexts,
  wanted: WantedHandlers,
  names: readonly string[],
  paths: readonly string[],
): void {
  const application = parseSources(updated, wanted.packages);
  const registration = wanted.find(application);
  if (registration === undefined) throw createUnreadableError();
  const { handlers, imports, list } = registration;
  const found = new Set(imports.map((source) => application.pathOf(source)));
  const isWhole =
    handlers.size === new Set(names).size && names.every((name) => handlers.has(name));
  if (!isWhole || !paths.every((path) => found.has(path)))
    throw createUnreadableError(application.placeOf(list));
}

function createUnreadableError(place?: SourcePlace): ScaffoldError {
  const message = 'handlers cannot be added here without changing existing code';
  return new ScaffoldError(
    'unreadable-registration',
    ...(place === undefined ? [{ message }] : [{ message, place }]),
  );
}

/**
 * Asserts that an existing file with the path of a new handler exports that handler.
 * @throws ScaffoldError `occupied`
 */
function assertExports(
  application: ApplicationSources,
  path: string,
  { exportName }: HandlerPlan,
): void {
  const file = application.files.find((candidate) => application.pathOf(candidate) === path);
  if (file?.getExportedDeclarations().has(exportName) === true) return;
  throw new ScaffoldError('occupied', {
    message: `already exists and does not export ${exportName}`,
    place: wholeFile(path),
  });
}

/** Returns the folder of most handlers. Defaults to `handlers` beside the registration. */
function folderOfHandlers(
  application: ApplicationSources,
  { file, imports }: Registration,
): string {
  const home = posix.dirname(application.pathOf(file));
  const beside = posix.join(home, 'handlers');
  const files = new Set(imports);
  // A single file with all handlers does not show where a file for each handler belongs.
  if (files.size === 1 && imports.length > 1) return beside;
  const folders = Array.from(files, (source) => posix.dirname(application.pathOf(source)));
  const counts = new Map<string, number>();
  for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (most === undefined) return beside;
  if (counts.size === 1 || most[1] > 1) return most[0];
  // Each handler has its own folder; the next one belongs in their common parent.
  const common = commonFolder(folders);
  return `${home}/`.startsWith(`${common}/`) ? beside : common;
}

function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split('/'));
  const length = first.findIndex((name, index) => others.some((names) => names[index] !== name));
  return first.slice(0, length === -1 ? first.length : length).join('/');
}

/** Returns a name as a member key. Quotes it if all other keys are quoted. */
function toKey(name: string, present: readonly Node[]): string {
  const quotes = present.map((property) => /^["']/u.exec(property.getText())?.[0]);
  const [mark] = quotes;
  return mark !== undefined && quotes.every((quote) => quote !== undefined)
    ? mark + name + mark
    : memberName(name).text;
}

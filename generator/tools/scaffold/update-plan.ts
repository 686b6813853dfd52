import { posix } from 'node:path';
import { Node } from 'ts-morph';
import { memberName } from '../../targets/escape.ts';
import { formatFile } from '../../targets/format.ts';
import { commonFolder } from '../../load/file-paths.ts';
import {
  createErrorAt,
  parseSources,
  pathOf,
  placeOf,
  syntaxErrors,
  type SourceTexts,
} from './application-sources.ts';
import { printHandlers, storedContext } from './application.ts';
import { deliveryContext } from '../../targets/stubs/handler-structures.ts';
import type { Application } from './application-settings.ts';
import { findOtherStrategy, type OtherStrategy } from './find-other-strategy.ts';
import { findProviders } from './find-providers.ts';
import { findRegistration, type Registration, unreadable } from './find-registration.ts';
import { frameworks, type ScaffoldFramework } from './frameworks.ts';
import type { HandlerPlan } from '../../targets/stubs/plan-handlers.ts';
import { endingOf, freeName, insertImports } from './import-insertion.ts';
import { insert, isPureInsertion } from './insertion.ts';
import { insertElements } from './list-insertion.ts';
import { ScaffoldError, wholeFile, type SourcePlace } from './scaffold-error.ts';
import type { ApplicationChanges, FileEdit, NewFile } from './write-application.ts';

/** A registered handler that the contract no longer has. */
interface RemovedHandler {
  readonly name: string;
  readonly place: SourcePlace;
  /** Where its function is imported, if it is from a file of the application. */
  readonly importPlace?: SourcePlace;
  /** The path of the file with its function, if no other handler is imported from it. */
  readonly file?: string;
}

/** The changes that add the missing handlers to an application. */
export interface UpdatePlan extends ApplicationChanges {
  /** The new handlers and the paths of their files. */
  readonly added: readonly { readonly name: string; readonly path: string }[];
  /** Registered handlers that the contract no longer has. */
  readonly removed: readonly RemovedHandler[];
  /** Missing handlers that are not added because `otherwise` handles everything without a handler. */
  readonly rest: readonly string[];
  /** The place where handlers are registered. */
  readonly registered: SourcePlace;
  /** How the application authenticates deliveries, if not as the contract states. */
  readonly otherStrategy?: OtherStrategy;
}

/**
 * Plans the changes that an application needs to have all handlers. Returns `undefined` if the application registers no
 * handlers. Existing files get insertions only. The resulting application is parsed again to verify the plan.
 * @param all whether to also add handlers for what `otherwise` handles
 * @throws ScaffoldError
 */
export async function planUpdate(
  texts: SourceTexts,
  application: Application,
  all: boolean,
): Promise<UpdatePlan | undefined> {
  const registration = readRegistered(texts, application);
  if (registration === undefined) return undefined;
  const { handlers, takesRest, list } = registration;
  const names = new Set(application.handlers.map(({ name }) => name));
  const missing = application.handlers.filter(({ name }) => !handlers.has(name));
  const adds = takesRest && !all ? [] : missing;
  const sources = list.getProject().getSourceFiles();
  const otherStrategy = findOtherStrategy(sources, application);
  const common = {
    removed: Array.from(handlers, ([name, place]) => ({
      name,
      place,
      ...describeImport(registration, name),
    })).filter(({ name }) => !names.has(name)),
    rest: adds.length === 0 ? missing.map(({ name }) => name) : [],
    registered: placeOf(list),
    ...(otherStrategy === undefined ? {} : { otherStrategy }),
  };
  if (adds.length === 0) return { ...common, creates: [], edits: [], added: [] };

  const folder = folderOfHandlers(registration);
  const ending = endingOf(registration.file);
  const extension = ending.startsWith('.m') ? '.mts' : '.ts';
  const files = adds.map((handler) => ({
    handler,
    path: posix.join(folder, handler.fileName + extension),
  }));
  const creates: NewFile[] = [];
  for (const { handler, path } of files) {
    if (texts.has(path)) assertExports(registration, path, handler);
    else {
      const text = await formatFile(
        'handler.ts',
        printHandlers(
          [handler],
          application.framework.handlers,
          registration.inbox === undefined
            ? deliveryContext(application.packageName)
            : storedContext(application.scope, registration.inbox.store ?? 'unknown'),
        ),
      );
      creates.push({ path, text });
    }
  }
  const edit = planEdit(registration, files, texts);
  const updated = new Map(texts).set(edit.path, edit.after);
  for (const { path, text } of creates) updated.set(path, text);
  assertComplete(
    updated,
    application,
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

/** Returns where a handler is imported, and the file that has only its function. */
function describeImport(
  { importedHandlers, imports }: Registration,
  name: string,
): Pick<RemovedHandler, 'importPlace' | 'file'> {
  const imported = importedHandlers?.get(name);
  if (imported === undefined) return {};
  const isAlone = imports.filter((file) => file === imported.file).length === 1;
  return { importPlace: imported.place, ...(isAlone ? { file: pathOf(imported.file) } : {}) };
}

/**
 * Parses the files of an application and finds its registration, for any framework.
 * @throws ScaffoldError `other-framework` if it uses another package than the application; `other-inbox`
 */
function readRegistered(texts: SourceTexts, application: Application): Registration | undefined {
  const { framework, packageName, workerPackage, scope, handlers } = application;
  const packageOf = ({ target }: ScaffoldFramework): string => `${scope}/${target}`;
  const sources = parseSources(texts, frameworks.map(packageOf));
  // The package of each framework also exports `createWebhooks`.
  const receivers = new Map(
    frameworks
      .filter((candidate) => candidate.handlers === 'functions')
      .map((candidate) => [packageOf(candidate), [...candidate.factories, 'createWebhooks']]),
  );
  const workers = new Map([[workerPackage, ['createWorker']]]);
  const handlerRegistration = findRegistration(sources, { receivers, workers });
  if (handlerRegistration !== undefined && 'receiver' in handlerRegistration) {
    // An interrupted run has not written the worker yet.
    if (application.inbox !== undefined) return undefined;
    const message = `stores in an inbox, and no file here calls createWorker of ${workerPackage}: give the folder with the worker`;
    throw unreadable(handlerRegistration.receiver, message);
  }
  const registration =
    handlerRegistration ??
    findProviders(sources, {
      module: `${scope}/webhooks-nestjs`,
      decorators: new Map(handlers.map(({ mark, name }) => [mark, name])),
    });
  if (registration === undefined) return undefined;
  const { modules } = registration;
  if (modules.length === 0 || modules.includes(packageName)) {
    assertSameInbox(registration, application);
    return registration;
  }
  const [module] = modules;
  const otherFramework = frameworks.find((candidate) => packageOf(candidate) === module);
  const message = `receives with ${module}: scaffold it as \`${otherFramework?.name}\`, not as \`${framework.name}\``;
  throw createErrorAt('other-framework', message, registration.list);
}

/** @throws ScaffoldError `other-inbox` if the application does not have the inbox that the user gave */
function assertSameInbox(
  { inbox, list }: Registration,
  { inbox: requestedStore }: Application,
): void {
  if (
    requestedStore === undefined ||
    (inbox !== undefined && (inbox.store ?? requestedStore) === requestedStore)
  )
    return;
  const present = inbox === undefined ? 'has no inbox' : `stores with ${inbox.store}`;
  const message = `the application ${present}: leave out --inbox, which is for new applications`;
  throw createErrorAt('other-inbox', message, list);
}

function planEdit(
  { file, list }: Registration,
  files: readonly { readonly handler: HandlerPlan; readonly path: string }[],
  texts: SourceTexts,
): FileEdit {
  const from = posix.dirname(pathOf(file));
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
  const insertions = [...insertImports(file, imports), ...insertElements(list, elements)];
  const text = file.getFullText();
  const path = pathOf(file);
  const before = texts.get(path) ?? text;
  const inserted = insert(text, insertions);
  if (!isPureInsertion(text, inserted, insertions) || syntaxErrors(path, inserted).length > 0)
    throw unreadable(list, uninsertable);
  return { path, before, after: before.slice(0, before.length - text.length) + inserted };
}

/**
 * Parses the changed application. Asserts that it has the old and the new handlers, and that it imports the new files.
 * @throws ScaffoldError `syntax-error`, `unreadable-registration`
 */
function assertComplete(
  updated: SourceTexts,
  application: Application,
  names: readonly string[],
  paths: readonly string[],
): void {
  const registration = readRegistered(updated, application);
  if (registration === undefined)
    throw new ScaffoldError('unreadable-registration', { message: uninsertable });
  const { handlers, imports, list } = registration;
  const importPaths = new Set(imports.map(pathOf));
  const isWhole =
    handlers.size === new Set(names).size && names.every((name) => handlers.has(name));
  if (!isWhole || !paths.every((path) => importPaths.has(path)))
    throw unreadable(list, uninsertable);
}

const uninsertable = 'handlers cannot be added here without changing existing code';

/**
 * Asserts that an existing file with the path of a new handler exports that handler.
 * @throws ScaffoldError `occupied`
 */
function assertExports(
  registration: Registration,
  path: string,
  { exportName }: HandlerPlan,
): void {
  const file = registration.file.getProject().getSourceFile(`/${path}`);
  if (file?.getExportedDeclarations().has(exportName) === true) return;
  throw new ScaffoldError('occupied', {
    message: `already exists and does not export ${exportName}`,
    place: wholeFile(path),
  });
}

/** Returns the folder of most handlers. Defaults to `handlers` beside the registration. */
function folderOfHandlers({ file, imports }: Registration): string {
  const home = posix.dirname(pathOf(file));
  const beside = posix.join(home, 'handlers');
  const files = new Set(imports);
  // A single file with all handlers does not show where a file for each handler belongs.
  if (files.size === 1 && imports.length > 1) return beside;
  const paths = Array.from(files, pathOf);
  const byFolder = Map.groupBy(paths, (path) => posix.dirname(path));
  const [most] = [...byFolder].toSorted(([, a], [, b]) => b.length - a.length);
  if (most === undefined) return beside;
  if (byFolder.size === 1 || most[1].length > 1) return most[0];
  // Each handler has its own folder; the next one belongs in their common parent.
  const common = commonFolder(paths);
  return `${home}/`.startsWith(`${common}/`) ? beside : common;
}

/** Returns a name as a member key. Quotes it if all other keys are quoted. */
function toKey(name: string, present: readonly Node[]): string {
  const quotes = present.map((property) => /^["']/u.exec(property.getText())?.[0]);
  const [mark] = quotes;
  return mark !== undefined && quotes.every((quote) => quote !== undefined)
    ? mark + name + mark
    : memberName(name).text;
}

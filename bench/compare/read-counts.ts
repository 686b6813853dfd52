import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Counts by their names, and the names of the packages that are loaded. */
export type Counts = Readonly<Record<string, number | readonly string[]>>;

/** The log of one thread. */
export interface ThreadLog {
  readonly isMain: boolean;
  readonly text: string;
}

/** Reads what `count-preload.ts` has written into a folder. */
export function readLogs(folder: string): readonly ThreadLog[] {
  return readdirSync(folder).map((name) => ({
    isMain: name.endsWith('-0.log'),
    text: readFileSync(join(folder, name), 'utf8'),
  }));
}

/**
 * Counts the modules and packages that the threads of a process loaded, and their calls of `node:fs`.
 *
 * @param harness The folder of the code that counts, whose modules are left out.
 * @param sizeOf Returns the size of a file in bytes.
 */
export function countLogs(
  logs: readonly ThreadLog[],
  harness: string = fileURLToPath(new URL('.', import.meta.url)),
  sizeOf: (file: string) => number = (file) => statSync(file).size,
): Counts {
  const lines = (isMain: boolean): readonly (readonly [kind: string, subject: string])[] =>
    logs
      .filter((log) => log.isMain === isMain)
      .flatMap(({ text }) => text.split('\n').filter((line) => line !== ''))
      .map((line) => [
        line.slice(0, line.indexOf(' ')),
        JSON.parse(line.slice(line.indexOf(' '))) as string,
      ]);
  const [main, threads] = [lines(true), lines(false)];
  const calls = (kind: string): number =>
    [...main, ...threads].filter((line) => line[0] === kind).length;
  const ownCalls = main
    .filter(([kind]) => kind === 'calls')
    .map(([, subject]) => subject.split(' ', 2))
    .filter(([, url = '']) => isOwn(url, harness))
    .reduce((sum, [count]) => sum + Number(count), 0);
  return {
    ...countModules(main, { harness, sizeOf, of: 'main thread' }),
    threads: logs.filter(({ isMain }) => !isMain).length,
    ...countModules(threads, { harness, sizeOf, of: 'threads' }),
    'calls of own functions, main thread': ownCalls,
    'files and folders read': calls('read'),
    'files and folders looked up': calls('look'),
    'files written': calls('write'),
    'other changes of files': calls('change'),
  };
}

function countModules(
  lines: readonly (readonly [kind: string, subject: string])[],
  {
    harness,
    sizeOf,
    of,
  }: {
    readonly harness: string;
    readonly sizeOf: (file: string) => number;
    readonly of: string;
  },
): Counts {
  const modules = lines
    .filter(([kind]) => kind === 'module')
    .map(([, url]) => url)
    .filter(
      (url) => url.startsWith('node:') || isOwn(url, harness) || packageOf(url) !== undefined,
    );
  const packages = modules.map(packageOf);
  const libraries = packages.filter((name) => name !== undefined);
  const builtIn = modules.filter((url) => url.startsWith('node:'));
  const files = modules.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  return {
    [`modules, ${of}`]: modules.length,
    [`bytes of modules, ${of}`]: files.reduce((sum, file) => sum + sizeOf(file), 0),
    [`own modules, ${of}`]: modules.length - libraries.length - builtIn.length,
    [`modules of libraries, ${of}`]: libraries.length,
    [`libraries that the ${of} ${of === 'threads' ? 'load' : 'loads'}`]: [
      ...new Set(libraries),
    ].toSorted(),
  };
}

/** Returns whether a module is of the revision: neither installed, nor of Node, nor of the code that counts. */
function isOwn(url: string, harness: string): boolean {
  return (
    url.startsWith('file:') &&
    packageOf(url) === undefined &&
    !fileURLToPath(url).startsWith(harness)
  );
}

/** Returns the name of the installed package that a module belongs to, without that of a platform. */
function packageOf(url: string): string | undefined {
  const path = url.startsWith('file:') ? decodeURIComponent(url) : '';
  const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(path) ?? [];
  return name?.replace(/-(?:darwin|linux|win32)-[a-z0-9-]+$/u, '');
}

/**
 * Counts the system calls for files in what `strace -f` has written.
 *
 * @param text One call a line, after the number of its process.
 */
export function countSystemCalls(text: string): Counts {
  const names = Array.from(text.matchAll(/^\d+ +(\w+)\(/gmu), ([, name = '']) => name);
  const of = (...chosen: readonly string[]): number =>
    names.filter((name) => chosen.includes(name)).length;
  const [open, look] = [of('openat', 'open'), of('statx', 'newfstatat', 'stat', 'lstat')];
  return {
    'system calls, open': open,
    'system calls, stat': look,
    'other system calls for files': names.length - open - look,
  };
}

import fs from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import module from 'node:module';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

/**
 * Preloaded into each thread of a counted process. Writes one line into a file of its thread, in the folder
 * `COUNTERSIGN_COUNTS`, for each module that is loaded and each call of `node:fs`. A line is written at once, because
 * threads can be terminated at any time. `read-counts.ts` reads the files.
 */
const log = fs.openSync(
  join(process.env['COUNTERSIGN_COUNTS'] ?? '.', `${process.pid}-${threadId}.log`),
  'a',
);
const { writeSync } = fs;
const record = (kind: string, subject: string): void =>
  void writeSync(log, `${kind} ${JSON.stringify(subject)}\n`);

module.registerHooks({
  load(url, context, nextLoad) {
    record('module', url);
    return nextLoad(url, context);
  },
});

const kinds = {
  read: ['readFile', 'readdir', 'opendir', 'createReadStream', 'readlink'],
  look: ['stat', 'lstat', 'access', 'exists', 'realpath'],
  write: ['writeFile', 'appendFile', 'copyFile', 'cp', 'createWriteStream'],
  change: ['mkdir', 'mkdtemp', 'rename', 'rm', 'rmdir', 'unlink', 'link', 'symlink', 'utimes'],
};

type Callable = (...words: readonly unknown[]) => unknown;

function wrap(holder: Record<string, unknown>, name: string, kind: string): void {
  const original = holder[name];
  if (typeof original !== 'function') return;
  const wrapped = function (this: unknown, ...words: readonly unknown[]): unknown {
    const [path, flags] = words;
    const isWritten = name.startsWith('open') && typeof flags === 'string' && /[wa+]/u.test(flags);
    record(isWritten ? 'write' : kind, String(path));
    return Reflect.apply(original as Callable, this, words);
  };
  // Some functions have others as members, such as `realpathSync.native`.
  holder[name] = Object.assign(wrapped, original);
}

const callbacks = fs as unknown as Record<string, unknown>;
const promises = fs.promises as unknown as Record<string, unknown>;
for (const [kind, names] of [...Object.entries(kinds), ['read', ['open']] as const])
  for (const name of names) {
    wrap(callbacks, name, kind);
    wrap(callbacks, `${name}Sync`, kind);
    wrap(promises, name, kind);
  }
module.syncBuiltinESMExports();

// The calls of functions are exact, unlike times. V8 counts them; a thread that is terminated could not ask for them.
if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  process.on('exit', () => {
    session.post('Profiler.takePreciseCoverage', (_, coverage) => {
      for (const { url, functions } of coverage?.result ?? [])
        record('calls', `${sumOf(functions)} ${url}`);
    });
  });
}

/** Returns the number of calls of functions. The first is the module itself. */
function sumOf(functions: readonly Profiler.FunctionCoverage[]): number {
  return functions.slice(1).reduce((sum, { ranges: [range] }) => sum + (range?.count ?? 0), 0);
}

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { isJsonObject } from '../json/json.ts';
import { templateFiles } from '../targets/template-files.ts';
import type { OutputFile, Target, TargetContext } from '../targets/target.ts';
import { concurrently } from '../execution/concurrently.ts';
import { formatFile, formattedAtATime } from '../targets/format.ts';
import { guardFiles } from './guard.ts';
import { OutputError } from './output-error.ts';

/** The part of the context that all targets of a run share. */
export type SharedContext = Omit<TargetContext, 'render'>;

/** The progress of `collectFiles`: the stage, and how many files are done. */
export type CollectProgress =
  | { readonly stage: 'emit'; readonly target: string; readonly done?: number }
  | { readonly stage: 'format'; readonly done: number; readonly of: number };

/**
 * Runs targets one after the other and returns their files: checked by `guardFiles`, formatted, and ordered by path.
 * @param report called before each target, before formatting, and after each file
 * @param arrange changes the files before they are checked and formatted
 * @param format formats a file, given its path and text
 * @throws OutputError for an error of a target, and for files that must not be written
 */
export async function collectFiles(
  targets: readonly Target[],
  contract: Contract,
  shared: SharedContext,
  report: (progress: CollectProgress) => void,
  arrange: (files: readonly OutputFile[]) => Promise<readonly OutputFile[]> = (files) =>
    Promise.resolve(files),
  format: typeof formatFile = formatFile,
): Promise<readonly OutputFile[]> {
  const origin = new Map<string, string>();
  const files: OutputFile[] = [];
  const renderOf = shareRenderers();
  for (const target of targets) {
    report({ stage: 'emit', target: target.name });
    for (const file of await emit(target, contract, shared, renderOf, report)) {
      const other = origin.get(file.path);
      if (other !== undefined) {
        const by = other === target.name ? `"${other}" twice` : `"${other}" and "${target.name}"`;
        const message = `${JSON.stringify(file.path)} was produced by ${by}.`;
        throw new OutputError('duplicate-path', message);
      }
      origin.set(file.path, target.name);
      files.push(file);
    }
  }
  const guarded = guardFiles(await arrange(files)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  let done = 0;
  report({ stage: 'format', done, of: guarded.length });
  return await concurrently(
    guarded,
    async (file) => {
      try {
        const text = file.isFormatted === true ? file.text : await format(file.path, file.text);
        done += 1;
        report({ stage: 'format', done, of: guarded.length });
        return { ...file, text };
      } catch (error) {
        throw failure(origin.get(file.path) ?? '', error);
      }
    },
    formattedAtATime,
  );
}

async function emit(
  target: Target,
  contract: Contract,
  shared: SharedContext,
  renderOf: typeof rendererOf,
  report: (progress: CollectProgress) => void,
): Promise<readonly OutputFile[]> {
  try {
    const context: TargetContext = { ...shared, render: await renderOf(target) };
    const files: OutputFile[] = [];
    for await (const file of target.emit(contract, context)) {
      files.push(assertFile(file));
      report({ stage: 'emit', target: target.name, done: files.length });
    }
    return files;
  } catch (error) {
    throw failure(target.name, error);
  }
}

/** Returns a `rendererOf` that reads each set of templates once per run, even if several targets share it. */
function shareRenderers(): typeof rendererOf {
  const read = new Map<string, ReturnType<typeof rendererOf>>();
  return (target) => {
    const key = JSON.stringify(target.templates ?? { none: target.name });
    const renderer = read.get(key) ?? rendererOf(target);
    read.set(key, renderer);
    return renderer;
  };
}

/** Renderers by the text of their templates. Compiling templates takes longer than rendering all their output. */
const renderers = new Map<string, TargetContext['render']>();

/**
 * Returns the function that renders a target's templates. For a target without templates, that function throws.
 * @throws TypeError if two of the target's folders have a template with the same name
 */
export async function rendererOf(
  target: Pick<Target, 'name' | 'templates'>,
): Promise<TargetContext['render']> {
  if (target.templates === undefined) {
    return () => {
      throw new TypeError(`the target "${target.name}" has no folder of templates`);
    };
  }
  const texts = new Map<string, string>();
  for (const path of templateFiles(target)) {
    const name = basename(path, '.hbs');
    if (texts.has(name)) throw new TypeError(`it has two templates named "${name}"`);
    texts.set(name, (await readFile(path, 'utf8')).replaceAll('\r\n', '\n'));
  }
  const key = JSON.stringify([...texts]);
  const known = renderers.get(key);
  if (known !== undefined) return known;
  const { createRenderer } = await import('../targets/render.ts');
  const render = createRenderer(texts);
  renderers.set(key, render);
  return render;
}

/**
 * Validates a file that a target yielded: a custom target may be plain JavaScript without type checks.
 * @throws TypeError
 */
function assertFile(file: unknown): OutputFile {
  if (!isJsonObject(file)) throw new TypeError('it yielded a value that is not a file');
  const { path, text, from, isFormatted } = file;
  if (typeof path !== 'string') throw new TypeError('it yielded a file without a path');
  if (typeof text !== 'string') throw new TypeError(`its file "${path}" has no text`);
  if (!Array.isArray(from)) throw new TypeError(`its file "${path}" has no list \`from\``);
  return { path, text, from, isFormatted: isFormatted === true };
}

function failure(target: string, error: unknown): OutputError {
  const why = error instanceof Error ? error.message : String(error);
  return new OutputError('target-failed', `The target "${target}" failed: ${why}`, {
    cause: error,
  });
}

import { resolve } from 'node:path';
import { formatFile } from '../targets/format.ts';
import type { ValidatorCache } from '../validators/validator-compiler.ts';
import type { VerdictStore } from '../patterns/safe-pattern.ts';
import { createFormatter } from './formatted.ts';
import { recordPath } from './run-record.ts';
import { ajvVersion } from '../validators/ajv.ts';
import type { Verdict } from '../patterns/pattern-check.ts';
import type { ValidatorCode } from '../validators/validator-code.ts';
import { openKept } from './kept.ts';

/** What runs of one configuration keep for the next one. */
export interface Caches {
  readonly validators?: ValidatorCache;
  readonly verdicts?: VerdictStore;
  /** Formats a file, given its path and text. */
  readonly format: (path: string, text: string) => Promise<string>;
  /** Writes what this run used. */
  keep(): Promise<void>;
}

/** Stands for caches in a run that reads and writes none, such as `check`: a wrong cache would hide differences. */
export const noCaches: Caches = { format: formatFile, keep: async () => undefined };

/**
 * Opens the caches of a configuration.
 * @param folder the folder of the configuration, absolute
 * @param output the output folder, relative to it
 */
export async function openCaches(folder: string, output: string): Promise<Caches> {
  const formatter = await createFormatter(
    resolve(folder, output),
    recordPath(folder, output, '.formatted.json'),
  );
  const validators = await openKept<ValidatorCode>(
    recordPath(folder, output, '.validators'),
    ajvVersion(),
  );
  const verdicts = await openKept<Verdict>(recordPath(folder, output, '.patterns.json'));
  return {
    validators,
    verdicts,
    format: formatter.format,
    async keep() {
      await formatter.keep();
      await validators.keep();
      await verdicts.keep();
    },
  };
}

import { rm } from 'node:fs/promises';
import type { Config } from '../../../generator/config/config.ts';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.ts';
import { readContract } from '../../../generator/generate.ts';
import type { LintResult } from '../../../generator/tools/lint/apply-settings.ts';
import { lint } from '../../../generator/tools/lint/lint.ts';
import type { LintSettings } from '../../../generator/config/lint-settings.ts';
import { writeContract } from '../../load/write-contract.ts';

/** Files of a contract; `openapi.yaml` and `asyncapi.yaml` are its documents where they are present. */
export type Files = Readonly<Record<string, string>>;

/** A configuration for files, in a folder of their own. */
export function configFor(files: Readonly<Record<string, unknown>>): Config {
  const contract = Object.fromEntries(
    ['openapi', 'asyncapi'].flatMap((name) =>
      `${name}.yaml` in files ? [[name, `${name}.yaml`]] : [],
    ),
  );
  return { contract, scope: '@parcels', output: 'generated', targets: ['contract'] };
}

/** What lint leaves of a contract that a test wrote in place. */
export async function lintFiles(
  files: Files,
  settings: LintSettings = {},
  config: string = '',
): Promise<LintResult> {
  const folder = await writeContract(files);
  try {
    const read = await readContract(configFor(files), folder);
    return await lint(read, settings, { path: 'countersign.config.ts', text: config });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A diagnostic as `code file:line:column`. */
export function toLine({ code, file, line, column }: Diagnostic): string {
  return `${code} ${file}:${line}:${column}`;
}

/** The lines of all but notes. */
export function toLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ severity }) => severity !== 'info').map(toLine);
}

/** A text with one part replaced; a part that is not there is a mistake of the test. */
export function replaced(text: string, part: string, by: string): string {
  if (text.split(part).length !== 2) throw new Error(`${part} is there not once`);
  return text.replace(part, () => by);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readContract } from '../generate.ts';
import { toFile } from '../load/file-paths.ts';
import { toAnnotations } from '../tools/lint/github-annotations.ts';
import { lint } from '../tools/lint/lint.ts';
import { ValidatorCompiler } from '../validators/validator-compiler.ts';
import type { Invocation } from './command.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type ForContract, runForEachContract } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { assertWithoutConfig, loadNamed } from './named-contract.ts';
import { countSeverity } from './show-diagnostics.ts';

/** The options of `lint`. */
interface LintOptions {
  readonly format: 'text' | 'json' | 'github';
  readonly maxWarnings?: number;
}

/**
 * Lints every contract of the configuration, or that of the named files, and reports the findings in the format of
 * `--format`.
 */
export async function runLint(
  invocation: Invocation<LintOptions, readonly [files: readonly string[]]>,
): Promise<ExitCode> {
  const { flags, options, terminal } = invocation;
  const { format, maxWarnings = Infinity } = options;
  const shown = { ...invocation, flags: { ...flags, json: flags.json || format === 'json' } };
  const [files] = invocation.values;
  if (files.length > 0) assertWithoutConfig(invocation);
  const named = await loadNamed(files, invocation);
  const lintOne: ForContract = async (config, { folder, file }, progress) => {
    const compiler = new ValidatorCompiler();
    const read = await readContract(config, folder, {
      report: (step) => progress.show(step),
      compiler,
      configFile: file,
    });
    const settings =
      file === undefined
        ? { path: '', text: '' }
        : { path: toFile(folder, file), text: await readFile(file, 'utf8') };
    const { diagnostics, excepted } = await lint(read, config.lint ?? {}, settings, compiler);
    const annotates = format === 'github' && !shown.flags.json;
    const fails =
      countSeverity(diagnostics, 'error') > 0 ||
      countSeverity(diagnostics, 'warning') > maxWarnings;
    return {
      exitCode: fails ? exitCodes.problems : exitCodes.ok,
      data: { output: config.output, excepted, diagnostics },
      diagnostics: annotates ? [] : diagnostics,
      files: [...read.documents.files, settings],
      describe() {
        if (annotates) {
          return toAnnotations(diagnostics, (path) => toFile(terminal.folder, join(folder, path)));
        }
        if (flags.quiet || fails) return '';
        const findingCount = diagnostics.filter(({ severity }) => severity !== 'info').length;
        const exceptions = excepted === 0 ? '' : `, ${count(excepted, 'finding')} excepted`;
        return `${findingCount === 0 ? 'no findings' : 'no errors'}${exceptions}\n`;
      },
    };
  };
  return await runForEachContract(shown, lintOne, named);
}

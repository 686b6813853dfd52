import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config, ContractFiles } from 'countersign';
import type { Invocation } from 'countersign/companion/command';
import {
  loadConfig,
  type Result,
  runForEachContract,
  showResults,
} from 'countersign/companion/configuration';
import { assertNotLinkedOut } from 'countersign/companion/paths';
import { CommandError, type ExitCode, exitCodes } from 'countersign/companion/terminal';
import type { ContractSide, Refusal } from './compare-contracts.ts';
import type { DiffReport } from './report/report.ts';
import { isDocument, resolveSide, toDocument } from './sides/resolve-side.ts';

/** The options of `diff`. */
interface DiffOptions {
  readonly failOn?: 'breaking' | 'any';
  readonly markdown?: true;
  readonly changeset?: string;
}

/** Compares two contracts and reports the changes. */
export async function runDiff(
  invocation: Invocation<DiffOptions, readonly [base: string, head: string | undefined]>,
): Promise<ExitCode> {
  const { values, options, flags, terminal } = invocation;
  const [base, head] = values;
  const before = resolve(terminal.folder, base);
  const after = resolve(terminal.folder, head ?? '');
  const isSingle = await isDocument(before);
  if (isSingle && head !== undefined && (await isDocument(after))) {
    if (options.changeset !== undefined)
      throw new CommandError(
        'usage',
        '--changeset names the packages of a configuration; two documents have none.',
      );
    const sides = { base: await toDocument(before), head: await toDocument(after) };
    const config = { contract: {}, output: '', targets: [] };
    return await showResults([await compare(sides, config, invocation, '')], invocation);
  }
  if (options.changeset !== undefined) {
    const { assertReleasable } = await import('./report/changeset.ts');
    assertReleasable(await loadConfig(terminal.folder, flags.config));
  }
  return await runForEachContract(invocation, async (config, { folder }) => {
    await using from = await resolveSide(base, config, folder, terminal.folder);
    await using to = await resolveSide(head, config, folder, terminal.folder);
    // If the base is a single document, only the same document of the head is compared.
    const alone = isSingle ? from.contract : undefined;
    const sides = { base: from, head: { ...to, contract: only(to.contract, alone) } };
    return await compare(sides, config, invocation, folder);
  });
}

async function compare(
  sides: { readonly base: ContractSide; readonly head: ContractSide },
  config: Config,
  invocation: Invocation<DiffOptions>,
  folder: string,
): Promise<Result> {
  // A contract that is not found is reported without what compares two.
  const { compareContracts } = await import('./compare-contracts.ts');
  const report = await compareContracts(sides, config, folder);
  if ('code' in report) return toRefused(report);
  return await toResult(report, await writeChangeset(report, invocation), invocation);
}

function toRefused({ code, message, diagnostics, files }: Refusal): Result {
  return {
    exitCode: exitCodes.problems,
    data: { error: { code, message }, diagnostics },
    diagnostics,
    files,
    describe: () => `${message}\n`,
  };
}

async function toResult(
  report: DiffReport,
  changeset: string | undefined,
  { options, flags }: Invocation<DiffOptions>,
): Promise<Result> {
  const { describeReport } = await import('./report/describe-report.ts');
  const markdown =
    options.markdown === true
      ? (await import('./report/markdown-report.ts')).toMarkdown(report)
      : undefined;
  const counted = options.failOn === 'any' ? report.changes.length : report.breaking;
  const fails = options.failOn !== undefined && counted > 0;
  return {
    exitCode: fails ? exitCodes.problems : exitCodes.ok,
    data: { ...report, ...(changeset === undefined ? {} : { changeset }) },
    describe(paint) {
      if (markdown !== undefined) return markdown;
      if (flags.quiet && !fails) return '';
      const text = describeReport(report, paint, flags.verbose);
      if (options.changeset === undefined) return text;
      const outcome = changeset ?? 'no changeset, because no package on disk needs a new version';
      return `${text}${outcome}${changeset === undefined ? '' : ' written'}\n`;
    },
  };
}

async function writeChangeset(
  report: DiffReport,
  { options, terminal }: Invocation<DiffOptions>,
): Promise<string | undefined> {
  const { changeset: folder } = options;
  if (folder === undefined) return undefined;
  const { toChangeset } = await import('./report/changeset.ts');
  const changeset = toChangeset(report);
  if (changeset === undefined) return undefined;
  const path = resolve(terminal.folder, folder);
  assertNotLinkedOut(path, terminal.folder);
  await mkdir(path, { recursive: true });
  await writeFile(resolve(path, changeset.fileName), changeset.text);
  return join(folder, changeset.fileName);
}

/** Returns only the document of a contract that `like` has too, or the whole contract without `like`. */
function only(contract: ContractFiles, like: ContractFiles | undefined): ContractFiles {
  if (like === undefined) return contract;
  const { openapi, asyncapi } = contract;
  if (like.asyncapi !== undefined) return asyncapi === undefined ? {} : { asyncapi };
  return openapi === undefined ? {} : { openapi };
}

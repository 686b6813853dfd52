import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';
import type { LintException } from '../config/lint-settings.ts';
import { readContract } from '../generate.ts';
import { type Json, optional } from '../json/json.ts';
import type { Documents } from '../documents/documents.ts';
import { load } from '../load/load.ts';
import { toFile } from '../load/file-paths.ts';
import { writeUserFiles } from '../output/user-files.ts';
import { unstatedEntries } from '../documents/unstated-entries.ts';
import { CommandError } from '../tools/command-error.ts';
import { unifiedDiff } from '../tools/settle/unified-diff.ts';
import { type OwnChoice, parseAnswers } from '../tools/settle/answer.ts';
import type { SettlePlan } from '../tools/settle/plan.ts';
import { settle } from '../tools/settle/settle.ts';
import type { Invocation, ScopeOption } from './command.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { createInvalidError, selectConfig } from './select-config.ts';
import { createProgressLine } from './progress-line.ts';
import { showDiagnostics } from './show-diagnostics.ts';

/** The options of `settle`. */
interface SettleOptions extends ScopeOption {
  readonly dryRun?: true;
  readonly overlay?: string;
  readonly value?: Json;
  readonly meaning?: string;
}

/** Settles entries of the ledger in an overlay, and shows the change. Writes nothing if the contract would have errors. */
export async function runSettle(
  invocation: Invocation<SettleOptions, readonly [answers: readonly string[]]>,
): Promise<ExitCode> {
  const { values, options, flags, terminal } = invocation;
  const ownChoice = ownChoiceOf(options);
  const loaded = await loadConfig(terminal.folder, flags.config);
  const config = selectConfig(loaded, invocation);
  const documents = await readDocuments(config, loaded.folder, invocation);
  const [answerTexts] = values;
  const answers = parseAnswers(answerTexts, unstatedEntries(documents), ownChoice);
  const { overlay: asked } = options;
  const { folder } = loaded;
  const progress = createProgressLine(terminal, flags);
  const outcome = await settle(
    answers,
    config,
    {
      folder,
      documents,
      overlay: asked && toFile(folder, resolve(terminal.folder, asked)),
      configuration: basename(loaded.file),
      readText: (path) => readIfThere(resolve(folder, path)),
    },
    async (read, texts) =>
      await readContract(read, folder, {
        ...optional('texts', texts),
        report: (step) => progress.show(step),
      }),
  ).finally(() => progress.clear());
  if ('invalid' in outcome) {
    const { diagnostics, documents: read } = outcome.invalid;
    if (!flags.json) await showDiagnostics(diagnostics, read.files, flags, terminal, folder);
    throw new CommandError(
      'invalid-contract',
      'The contract has errors with these answers. Nothing was written.',
    );
  }
  const { plan, left } = outcome;
  const isDryRun = options.dryRun === true;
  if (!isDryRun) await write(loaded.folder, plan);
  const diff = unifiedDiff(plan);
  const { settled, unchanged, creates, edits } = plan;
  const result: Result = {
    exitCode: exitCodes.ok,
    data: {
      output: config.output,
      dryRun: isDryRun,
      settled,
      unchanged,
      created: creates.map(({ path }) => path),
      updated: edits.map(({ path }) => path),
      unusedExceptions: left,
      diff,
    },
    describe: (paint) => {
      if (isDryRun) return visible(diff);
      return flags.quiet ? '' : `${visible(diff)}${describe(plan, left, paint)}`;
    },
  };
  return await showResults([result], invocation, loaded.file);
}

/** @throws CommandError `usage` for a meaning without a value */
function ownChoiceOf({ value, meaning }: SettleOptions): OwnChoice | undefined {
  if (value !== undefined) return { value, ...optional('meaning', meaning) };
  if (meaning === undefined) return undefined;
  throw new CommandError('usage', '--meaning requires --value.');
}

/**
 * Reads the documents with their ledger. They may contradict one another: an answer can be the correction.
 * @throws CommandError `invalid-contract` if a document cannot be read, `nothing-to-settle` without a ledger
 */
async function readDocuments(
  { contract, budgets }: Config,
  folder: string,
  { command, flags, terminal }: Invocation,
): Promise<Documents> {
  const documents = await load(contract, { folder, budgets });
  const isComplete = (['openapi', 'asyncapi'] as const).every(
    (name) => contract[name] === undefined || documents[name] !== undefined,
  );
  if (!isComplete) {
    if (!flags.json)
      await showDiagnostics(documents.diagnostics, documents.files, flags, terminal, folder);
    throw createInvalidError(command);
  }
  if (unstatedEntries(documents).length > 0) return documents;
  throw new CommandError(
    'nothing-to-settle',
    'The contract has no open questions: no object has `x-unstated`, or `info` does not have `x-countersign: 1`.',
  );
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

async function write(folder: string, { creates, edits }: SettlePlan): Promise<void> {
  // A file behind a symbolic link is changed, and the link stays.
  const real = edits.map((edit) => ({
    ...edit,
    path: relative(folder, realpathSync(resolve(folder, edit.path))),
  }));
  await writeUserFiles(folder, { creates, edits: real });
}

function describe(
  { settled, unchanged, creates, edits }: SettlePlan,
  left: readonly LintException[],
  paint: Paint,
): string {
  const lines = [
    ...creates.map(({ path }) => `${paint('green', 'created')}  ${printable(path)}`),
    ...edits.map(({ path }) => `${paint('yellow', 'updated')}  ${printable(path)}`),
    ...unchanged.map((id) => `${id} has this answer already`),
    ...left.map(
      ({ rule, at }) =>
        `remove the exception of \`${printable(rule)}\` at \`${printable(at)}\`: nothing needs it now`,
    ),
    ...settled.flatMap(({ id, answer, before }) =>
      before === undefined ? [] : [`${id}: ${printable(answer)} replaces ${printable(before)}`],
    ),
    ...(settled.length === 0
      ? []
      : [`${count(settled.length, 'entry', 'entries')} settled; run \`countersign generate\``]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Makes the invisible characters of a diff visible, except its tabs and line breaks. */
function visible(diff: string): string {
  return diff.replaceAll('\r\n', '\n').replaceAll(/[^\n\t]+/gu, printable);
}

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';
import type { LintException } from '../config/lint-settings.ts';
import { type ReadContract, readContract } from '../generate.ts';
import { optional } from '../json/json.ts';
import type { Documents } from '../documents/documents.ts';
import { load } from '../load/load.ts';
import { toFile } from '../load/file-paths.ts';
import { writeUserFiles } from '../output/user-files.ts';
import { unstatedEntries } from '../documents/unstated-entries.ts';
import { CommandError } from '../tools/command-error.ts';
import { unifiedDiff } from '../tools/settle/unified-diff.ts';
import { addOverlays } from '../tools/settle/add-to-configuration.ts';
import { type Answer, type OwnChoice, parseAnswers } from '../tools/settle/answer.ts';
import { answeredExceptions } from '../tools/settle/answered-exceptions.ts';
import { removeExceptions } from '../tools/settle/remove-exceptions.ts';
import { type SettlePlan, assertSettled, planSettle } from '../tools/settle/settle.ts';
import type { Invocation, ScopeOption } from './command.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type Result, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { createInvalidError, selectConfig } from './select-config.ts';
import { readJsonText } from './option-values.ts';
import { createProgressLine } from './progress-line.ts';
import { showDiagnostics } from './show-diagnostics.ts';

/** The options of `settle`. */
interface SettleOptions extends ScopeOption {
  readonly dryRun?: true;
  readonly overlay?: string;
  readonly value?: string;
  readonly meaning?: string;
}

/** Settles entries of the ledger in an overlay, and shows the change. Writes nothing if the contract would have errors. */
export async function runSettle(
  invocation: Invocation<SettleOptions, readonly [answers: readonly string[]]>,
): Promise<ExitCode> {
  const { values, options, flags, terminal } = invocation;
  const ownChoice = ownChoiceOf(invocation);
  const loaded = await loadConfig(terminal.folder, flags.config);
  const config = selectConfig(loaded, invocation);
  const documents = await readDocuments(config, loaded.folder, invocation);
  const [answerTexts] = values;
  const answers = parseAnswers(answerTexts, unstatedEntries(documents), ownChoice);
  const { overlay: asked } = options;
  const planned = planSettle(answers, {
    contract: config.contract,
    folder: loaded.folder,
    documents,
    overlay: asked && toFile(loaded.folder, resolve(terminal.folder, asked)),
    ...filesOf(config, loaded),
  });
  const before = { config, folder: loaded.folder, documents };
  const after = await assertValid(planned, answers, before, invocation);
  const { plan, left } = await withoutAnsweredExceptions(planned, before, after, loaded);
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
function ownChoiceOf({ options }: Invocation<SettleOptions>): OwnChoice | undefined {
  const json = readJsonText('--value', options.value);
  const { meaning } = options;
  if (json === undefined && meaning === undefined) return undefined;
  if (json === undefined) throw new CommandError('usage', '--meaning requires --value.');
  return { value: JSON.parse(json), ...optional('meaning', meaning) };
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
    if (!flags.json) await showDiagnostics(documents.diagnostics, documents.files, flags, terminal);
    throw createInvalidError(command);
  }
  if (unstatedEntries(documents).length > 0) return documents;
  throw new CommandError(
    'nothing-to-settle',
    'The contract has no open questions: no object has `x-unstated`, or `info` does not have `x-countersign: 1`.',
  );
}

function filesOf(
  { contract }: Config,
  { folder, file }: LoadedConfig,
): Pick<Parameters<typeof planSettle>[1], 'readText' | 'configure' | 'configuration'> {
  const readText = (path: string): string | undefined => {
    const absolute = resolve(folder, path);
    return existsSync(absolute) ? readFileSync(absolute, 'utf8') : undefined;
  };
  const configuration = basename(file);
  return {
    readText,
    configuration,
    configure: (overlays) =>
      addOverlays(configuration, readText(configuration) ?? '', contract, overlays),
  };
}

/**
 * Reads the contract with the planned changes, which are not on the disk yet.
 * @throws CommandError `invalid-contract` if it has errors, or if a change has another effect than the answers
 */
async function assertValid(
  plan: SettlePlan,
  answers: readonly Answer[],
  before: { readonly config: Config; readonly folder: string; readonly documents: Documents },
  { flags, terminal }: Invocation,
): Promise<ReadContract> {
  const { config, folder } = before;
  const texts = new Map([
    ...plan.creates.map((file) => [resolve(folder, file.path), file.text] as const),
    ...plan.edits.map((file) => [resolve(folder, file.path), file.after] as const),
  ]);
  const progress = createProgressLine(terminal, flags);
  const after = await readContract({ ...config, contract: plan.contract }, folder, {
    texts,
    report: (step) => progress.show(step),
  }).finally(() => progress.clear());
  const { contract, documents, diagnostics } = after;
  if (contract === undefined) {
    if (!flags.json) await showDiagnostics(diagnostics, documents.files, flags, terminal);
    throw new CommandError(
      'invalid-contract',
      'The contract has errors with these answers. Nothing was written.',
    );
  }
  const answered = contract.unstated.map((entry) => [entry.id, entry.answers] as const);
  assertSettled(answers, before.documents, documents, new Map(answered));
  return after;
}

/**
 * Adds to a plan that the configuration loses the exceptions of lint that its answers make unused. Returns those that
 * the configuration does not have as literals, which somebody has to remove.
 */
async function withoutAnsweredExceptions(
  plan: SettlePlan,
  { config, folder }: { readonly config: Config; readonly folder: string },
  after: ReadContract,
  { file }: LoadedConfig,
): Promise<{ readonly plan: SettlePlan; readonly left: readonly LintException[] }> {
  const { lint: settings } = config;
  if (settings?.exceptions === undefined || plan.settled.length === 0) return { plan, left: [] };
  const read = await readContract(config, folder);
  const unused = await answeredExceptions(read, after, settings);
  if (unused.length === 0) return { plan, left: [] };
  const path = basename(file);
  const planned = plan.edits.find((edit) => edit.path === path);
  const before = planned?.before ?? readFileSync(file, 'utf8');
  const changed = removeExceptions(path, planned?.after ?? before, unused);
  if (changed === undefined) return { plan, left: unused };
  const others = plan.edits.filter((edit) => edit !== planned);
  return { plan: { ...plan, edits: [{ path, before, after: changed }, ...others] }, left: [] };
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

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import type { Config, ContractFiles, Diagnostic, ReadContract, SourceFile } from 'countersign';
import {
  CommandError,
  type ExitCode,
  exitCodes,
  type Invocation,
  printable,
} from 'countersign/companion/command';
import { packageVersions, versionsOnDisk } from 'countersign/companion/contract';
import {
  emitFiles,
  isDanglingCode,
  loadConfig,
  type PackageVersions,
  readContract,
  readPackageVersions,
  type Result,
  runForEachContract,
  scopeOf,
  showResults,
  targetName,
  withDiagnostics,
} from 'countersign/companion/project';
import { assertNotLinkedOut } from 'countersign/companion/values';
import type { Contract } from 'countersign/kit';
import { describeReport } from './report/describe-report.ts';
import { type DiffReport, type TargetDescription, createReport } from './report/report.ts';
import {
  type Side,
  isDocument,
  linkAdvice,
  resolveSide,
  toDocument,
} from './sides/resolve-side.ts';

/** The number of links that a message lists. */
const maxShownLinks = 5;

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
  const { values, options, terminal } = invocation;
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
    return showResults([await compare(sides, config, invocation, '')], invocation);
  }
  if (options.changeset !== undefined) await assertReleasable(invocation);
  return await runForEachContract(invocation, async (config, { folder }) => {
    await using from = await resolveSide(base, config, folder, terminal.folder);
    await using to = await resolveSide(head, config, folder, terminal.folder);
    // If the base is a single document, only the same document of the head is compared.
    const alone = isSingle ? from.contract : undefined;
    const sides = { base: from, head: { ...to, contract: only(to.contract, alone) } };
    return await compare(sides, config, invocation, folder);
  });
}

/**
 * Checks that every configuration with packages keeps their versions on disk, where `changeset version` writes them.
 * @throws CommandError `missing-setting` or `usage`
 */
async function assertReleasable({ flags, terminal }: Invocation): Promise<void> {
  const { configs, file } = await loadConfig(terminal.folder, flags.config);
  const withPackages = configs.filter(({ layout }) => layout !== 'folder');
  if (withPackages.length === 0)
    throw new CommandError(
      'usage',
      `--changeset names packages, and ${file} generates none (\`layout: 'folder'\`).`,
    );
  const other = withPackages.find(({ version }) => version !== versionsOnDisk);
  if (other === undefined) return;
  const owner =
    other.version === undefined ? "the contract's `info.version`" : 'the setting `version`';
  throw new CommandError(
    'missing-setting',
    `Nothing was written: the packages in ${other.output} get their version from ${owner}, and \`countersign generate\` would undo what \`changeset version\` writes. Set \`version: '${versionsOnDisk}'\` in ${file} to keep the version of each package in its package.json. Otherwise, leave out --changeset, and raise ${owner} to the version that \`countersign diff\` reports.`,
  );
}

type ContractSide = Pick<Side, 'contract' | 'folder' | 'links'>;

async function compare(
  sides: { readonly base: ContractSide; readonly head: ContractSide },
  config: Config,
  invocation: Invocation<DiffOptions>,
  folder: string,
): Promise<Result> {
  const base = await read(sides.base, config);
  const head = await read(sides.head, config);
  if (base.contract === undefined) return refused('base', base, sides.base.links);
  if (head.contract === undefined) return refused('head', head, sides.head.links);
  // What a missing target costs in one version only would be reported as a change of the contract.
  const missing = { base: missingTargets(base), head: missingTargets(head) };
  if (hasFurther(missing.base, missing.head)) return refused('base', base, sides.base.links);
  if (hasFurther(missing.head, missing.base)) return refused('head', head, sides.head.links);
  const onDisk = readPackageVersions(config, resolve(folder, config.output));
  if (onDisk !== undefined && onDisk.diagnostics.length > 0) {
    const { diagnostics, files } = onDisk;
    return refuse(
      'A package has no version to compare with.',
      'unknown-package-version',
      diagnostics,
      files,
    );
  }
  const targets = await describeTargets(config, folder, head.contract, onDisk).catch(
    (error: unknown) => {
      throw withDiagnostics(error, [], head.documents);
    },
  );
  const report = createReport(
    { base: base.contract, head: head.contract },
    { base: base.documents, head: head.documents },
    targets,
  );
  const changesetPath = await writeChangeset(report, invocation);
  return await toResult(report, changesetPath, invocation);
}

/**
 * Returns the targets of a configuration, with the npm package that each generates, if any. A target whose output is
 * not on disk is emitted to find out.
 */
async function describeTargets(
  config: Config,
  folder: string,
  contract: Contract,
  onDisk: PackageVersions | undefined,
): Promise<readonly TargetDescription[]> {
  const names = config.targets.map(targetName);
  const output = resolve(folder, config.output);
  const manifests = names.every((name) => existsSync(join(output, name)))
    ? names.filter((name) => existsSync(join(output, name, 'package.json')))
    : (await emitFiles(contract, config)).flatMap(({ path }) =>
        posix.basename(path) === 'package.json' ? posix.dirname(path) : [],
      );
  const starts = packageVersions(names, config.version, contract);
  return names.map((target) => {
    if (!manifests.includes(target)) return { target };
    const name = `${scopeOf(config)}/${target}`;
    if (onDisk === undefined) return { target, package: name };
    const current = onDisk.versions.get(target);
    const version = current === undefined ? { start: starts[target] ?? '' } : { current };
    return { target, package: name, version };
  });
}

/** Returns the diagnostics about references without a target, which are warnings in contracts of others. */
function missingTargets({ diagnostics }: ReadContract): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => isDanglingCode(code));
}

function hasFurther(diagnostics: readonly Diagnostic[], baseline: readonly Diagnostic[]): boolean {
  const baselineTexts = new Set(baseline.map(({ code, message }) => `${code} ${message}`));
  return diagnostics.some(({ code, message }) => !baselineTexts.has(`${code} ${message}`));
}

function refused(side: string, read: ReadContract, links: readonly string[] = []): Result {
  const { diagnostics, documents } = read;
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' || isDanglingCode(code),
  );
  const message = `The ${side} has errors and cannot be compared.${describeLinks(links)}`;
  return refuse(message, 'invalid-contract', errors, documents.files);
}

function refuse(
  message: string,
  code: string,
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
): Result {
  return {
    exitCode: exitCodes.problems,
    data: { error: { code, message }, diagnostics },
    diagnostics,
    files,
    describe: () => `${message}\n`,
  };
}

/** Describes the links of a revision, which are not followed and can cause its errors. */
function describeLinks(links: readonly string[]): string {
  if (links.length === 0) return '';
  const shown = links.slice(0, maxShownLinks).map((link) => `\`${printable(link)}\``);
  const more = links.length > maxShownLinks ? ` and ${links.length - maxShownLinks} more` : '';
  return ` The revision has links: ${shown.join(', ')}${more}. ${linkAdvice}`;
}

async function toResult(
  report: DiffReport,
  changeset: string | undefined,
  { options, flags }: Invocation<DiffOptions>,
): Promise<Result> {
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

async function read({ contract, folder }: ContractSide, config: Config): Promise<ReadContract> {
  return await readContract({ ...config, contract }, folder, { isOtherRevision: true });
}

/** Returns only the document of a contract that `like` has too, or the whole contract without `like`. */
function only(contract: ContractFiles, like: ContractFiles | undefined): ContractFiles {
  if (like === undefined) return contract;
  const { openapi, asyncapi } = contract;
  if (like.asyncapi !== undefined) return asyncapi === undefined ? {} : { asyncapi };
  return openapi === undefined ? {} : { openapi };
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { scopeOf, type Config, type ContractFiles } from '../config.ts';
import { toChangeset } from '../diff/report/changeset.ts';
import { describeReport } from '../diff/report/describe-report.ts';
import { toMarkdown } from '../diff/report/markdown-report.ts';
import { createReport, type DiffReport } from '../diff/report/report.ts';
import { isDocument, resolveSide, toDocument } from '../diff/sides/resolve-side.ts';
import { type ReadContract, readContract } from '../read-contract.ts';
import type { Invocation } from './command.ts';
import { type Result, runForEachContract, showResults } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { noSuch } from './no-such.ts';

/** Compares two contracts and tells what came of it. */
export async function runDiff(invocation: Invocation): Promise<ExitCode> {
  const { values, options, terminal } = invocation;
  const [base = '', head] = values;
  const failOn = options['failOn'];
  if (failOn !== undefined && failOn !== 'breaking' && failOn !== 'any')
    throw noSuch('kind of change to fail on', failOn, ['breaking', 'any']);
  const [before, after] = [base, head ?? ''].map((path) => resolve(terminal.folder, path));
  if (before !== undefined && after !== undefined && head !== undefined) {
    if ((await isDocument(before)) && (await isDocument(after))) {
      const sides = { base: await toDocument(before), head: await toDocument(after) };
      return showResults(
        [await compare(sides, { targets: [], scope: '' }, invocation)],
        invocation,
      );
    }
  }
  return await runForEachContract(invocation, async (config, { folder }) => {
    await using from = await resolveSide(base, config, folder, terminal.folder);
    await using to = await resolveSide(head, config, folder, terminal.folder);
    // One document is compared with the same document of the other side.
    const alone = (await isDocument(resolve(terminal.folder, base))) ? from.contract : undefined;
    const sides = { base: from, head: { folder: to.folder, contract: only(to.contract, alone) } };
    return await compare(sides, config, invocation);
  });
}

interface Place {
  readonly contract: ContractFiles;
  readonly folder: string;
}

type Settings = Pick<Config, 'targets' | 'scope'> & Partial<Config>;

async function compare(
  sides: { readonly base: Place; readonly head: Place },
  config: Settings,
  invocation: Invocation,
): Promise<Result> {
  const base = await read(sides.base, config);
  const head = await read(sides.head, config);
  if (base.contract === undefined) return refused('base', base);
  if (head.contract === undefined) return refused('head', head);
  const targets = config.targets.map((target) =>
    typeof target === 'string' ? target : target.name,
  );
  const report = createReport(
    { base: base.contract, head: head.contract },
    { base: base.documents, head: head.documents },
    targets.map((target) => ({ target, package: `${scopeOf(config)}/${target}` })),
  );
  const written = await writeChangeset(report, invocation);
  return toResult(report, written, invocation);
}

function refused(side: string, { diagnostics, documents }: ReadContract): Result {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const message = `The ${side} has errors and cannot be compared.`;
  return {
    exitCode: exitCodes.problems,
    data: { error: { code: 'invalid-contract', message }, diagnostics: errors },
    diagnostics: errors,
    files: documents.files,
    describe: () => `${message}\n`,
  };
}

function toResult(
  report: DiffReport,
  changeset: string | undefined,
  { options, flags }: Invocation,
): Result {
  const counted = options['failOn'] === 'any' ? report.changes.length : report.breaking;
  const fails = options['failOn'] !== undefined && counted > 0;
  return {
    exitCode: fails ? exitCodes.problems : exitCodes.ok,
    data: { ...report, ...(changeset === undefined ? {} : { changeset }) },
    diagnostics: [],
    files: [],
    describe(paint) {
      if (options['markdown'] === true) return toMarkdown(report);
      if (flags.quiet && !fails) return '';
      const text = describeReport(report, paint, flags.verbose);
      return changeset === undefined ? text : `${text}${changeset} written\n`;
    },
  };
}

async function writeChangeset(
  report: DiffReport,
  { options, terminal }: Invocation,
): Promise<string | undefined> {
  const folder = options['changeset'];
  if (typeof folder !== 'string') return undefined;
  const changeset = toChangeset(report);
  if (changeset === undefined) return undefined;
  await mkdir(resolve(terminal.folder, folder), { recursive: true });
  await writeFile(resolve(terminal.folder, folder, changeset.fileName), changeset.text);
  return join(folder, changeset.fileName);
}

async function read({ contract, folder }: Place, config: Settings): Promise<ReadContract> {
  return await readContract({ output: '', ...config, contract }, folder);
}

/** Of a contract only the kind of document that another one has. */
function only(contract: ContractFiles, like: ContractFiles | undefined): ContractFiles {
  if (like === undefined) return contract;
  const { openapi, asyncapi } = contract;
  if (like.asyncapi !== undefined) return asyncapi === undefined ? {} : { asyncapi };
  return openapi === undefined ? {} : { openapi };
}

import type { Config, Diagnostic, SourceFile } from 'countersign';
import { type ReportProgress, withDiagnostics } from 'countersign/companion/configuration';
import { emit, resolveTargets } from 'countersign/companion/generation';
import { readContract } from 'countersign/companion/project';
import {
  openCaches,
  type ValidatorCache,
  ValidatorCompiler,
} from 'countersign/companion/validators';
import type { Contract } from 'countersign/kit';
import { checkWorkflows } from './check-workflows.ts';
import { type EmittedTexts, simulatedScope } from './import-service.ts';

/** What is emitted of the files of a contract, with its diagnostics and the files that these are about. */
interface Emitted {
  /** Absent if the contract has errors. */
  readonly texts?: EmittedTexts;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
}

/** Reads a contract, and emits its service. */
export async function readAndEmit(
  config: Config,
  folder: string,
  report: ReportProgress,
): Promise<Emitted> {
  // They are read only: what `generate` keeps is more than this run uses.
  const { validators, verdicts } = await openCaches(folder, config.output);
  const read = await readContract(config, folder, { report, verdicts });
  const { contract, documents } = read;
  const { files } = documents;
  if (contract === undefined) return { diagnostics: read.diagnostics, files };
  const diagnostics = [...read.diagnostics, ...checkWorkflows(documents, contract)];
  const texts = await emitService(contract, config, validators, report).catch((error: unknown) => {
    throw withDiagnostics(error, diagnostics, documents);
  });
  return { texts, diagnostics, files };
}

/**
 * Returns the modules of the packages `contract` and `simulator`. They are those that `generate` writes, so that
 * the command and the package `simulator` check the same, but not formatted.
 */
export async function emitService(
  contract: Contract,
  config: Config,
  cache: ValidatorCache | undefined,
  report: ReportProgress,
): Promise<EmittedTexts> {
  const targets = await resolveTargets(['contract', 'simulator']);
  const settings = {
    ...config,
    scope: simulatedScope,
    layout: 'packages',
    validators: true,
  } as const;
  const compiler = new ValidatorCompiler({ cache, eager: true });
  const format = async (_path: string, text: string): Promise<string> => text;
  const options = { report, compiler, format };
  const emitted = emit(contract, targets, settings, options).finally(() => compiler.close());
  const { files } = await emitted;
  return Object.fromEntries(
    files.filter(({ path }) => /\.[jt]s$/u.test(path)).map(({ path, text }) => [path, text]),
  );
}

import type { Config } from 'countersign';
import type { ReportProgress } from 'countersign/companion/configuration';
import { emit, resolveTargets } from 'countersign/companion/project';
import { type ValidatorCache, ValidatorCompiler } from 'countersign/companion/validators';
import type { Contract } from 'countersign/kit';

/** The scope of the packages that are emitted. It never reaches a disk. */
export const simulatedScope = '@simulated';

/** The texts of emitted modules, by path. */
export type EmittedTexts = Readonly<Record<string, string>>;

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

import { generate } from '../generate.ts';
import type { Generation } from '../output/generation.ts';
import { optional } from '../json/json.ts';
import { describeChecked, describeGenerated } from './describe-generation.ts';
import { type ForContract, runForEachContract } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';
import { type Contracts, type GenerateInvocation, loadGenerated } from './named-contract.ts';
import { createProgressLine } from './progress-line.ts';

/** Receives the outcome for each contract, besides what the terminal shows. */
export interface GenerationObserver {
  done(generation: Generation, loaded: Contracts): void;
  failed(error: unknown): void;
}

/**
 * Generates the output of every contract of the configuration or of the named files, or checks the files on disk, and
 * reports the result.
 */
export async function runGeneration(
  invocation: GenerateInvocation,
  mode: 'write' | 'check',
  observer?: GenerationObserver,
): Promise<ExitCode> {
  const { quiet, verbose } = invocation.flags;
  const progress = createProgressLine(invocation.terminal, invocation.flags);
  const contracts = await loadGenerated(invocation, progress);
  const generateOne: ForContract = async (config, loaded) => {
    const { folder, file } = loaded;
    const generation = await generate(config, {
      folder,
      ...optional('file', file),
      mode,
      onProgress: (step) => progress.show(step),
    }).catch((error: unknown) => {
      observer?.failed(error);
      throw error;
    });
    observer?.done(generation, loaded);
    const { files, inputs: _, ...data } = generation;
    const { status, diagnostics } = generation;
    return {
      exitCode: status === 'invalid' || status === 'differs' ? exitCodes.problems : exitCodes.ok,
      data,
      diagnostics,
      files,
      describe(paint) {
        if (status === 'invalid' || (quiet && status !== 'differs')) return '';
        return mode === 'check'
          ? describeChecked(generation, paint)
          : describeGenerated(generation, paint, verbose);
      },
    };
  };
  return await runForEachContract(invocation, generateOne, contracts, progress);
}

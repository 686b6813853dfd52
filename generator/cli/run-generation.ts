import { generate } from '../generate.ts';
import type { Generation } from '../output/generation.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Invocation } from './command.ts';
import { describeChecked, describeGenerated } from './describe-generation.ts';
import { runForEachContract } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';

/** Receives the outcome for each contract, besides what the terminal shows. */
export interface GenerationObserver {
  done(generation: Generation, loaded: LoadedConfig): void;
  failed(error: unknown): void;
}

/** Generates the output of every contract of the configuration, or checks the files on disk, and reports the result. */
export async function runGeneration(
  invocation: Invocation,
  mode: 'write' | 'check',
  observer?: GenerationObserver,
): Promise<ExitCode> {
  const { quiet, verbose } = invocation.flags;
  return await runForEachContract(invocation, async (config, loaded, progress) => {
    const { folder, file } = loaded;
    const generation = await generate(config, {
      folder,
      file,
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
          : describeGenerated(generation, paint, verbose, invocation.terminal.folder);
      },
    };
  });
}

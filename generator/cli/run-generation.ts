import { generate } from '../generate.ts';
import type { Invocation } from './command.ts';
import { describeChecked, describeGenerated } from './describe-generation.ts';
import { runForEachContract } from './each-contract.ts';
import { type ExitCode, exitCodes } from './failure.ts';

/** Generates every contract of the configuration, or checks what is on disk against it, and tells what came of it. */
export async function runGeneration(
  invocation: Invocation,
  mode: 'write' | 'check',
): Promise<ExitCode> {
  const { quiet, verbose } = invocation.flags;
  return await runForEachContract(invocation, async (config, { folder, file }, progress) => {
    const generation = await generate(config, {
      folder,
      file,
      mode,
      onProgress: (step) => progress.show(step),
    });
    const { files, ...data } = generation;
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
  });
}

import type { Contract } from '../../contract/contract.ts';
import { SampleMaker } from '../../samples/sample-maker.ts';
import type { ValidatorCompiler } from '../../validators/validator-compiler.ts';
import type { Samples } from './samples.ts';

/** One value with the required members, and one with all. */
const count = 2;

/**
 * Makes values of the schemas that a description of a contract needs samples of: payloads of notifications, and bodies
 * of responses without an example.
 * @param describe describes the contract with samples
 */
export async function makeSamples(
  contract: Contract,
  describe: (samples: Samples) => unknown,
  compiler: ValidatorCompiler | undefined,
): Promise<Samples> {
  const names = new Set<string>();
  describe((name) => {
    names.add(name);
    return [];
  });
  const maker = new SampleMaker(contract, { compiler });
  try {
    // All at once, so that their validators are compiled in one batch.
    const made = await Promise.all(
      Array.from(names, async (name) => [name, (await maker.make(name, count)).values] as const),
    );
    const values = new Map(made);
    return (name) => values.get(name) ?? [];
  } finally {
    maker.close();
  }
}

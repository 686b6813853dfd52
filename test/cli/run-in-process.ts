import { run } from '../../generator/cli/run.ts';
import type { Tree } from '../output/tree.ts';
import type { Run } from './project.ts';

/** Runs the command line in a folder, without a process of its own and without a terminal. */
export async function runInProcess(
  folder: string,
  parameters: readonly string[],
  environment: Tree = {},
): Promise<Run> {
  let out = '';
  let error = '';
  const code = await run(parameters, {
    folder,
    environment,
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { code, out, error };
}

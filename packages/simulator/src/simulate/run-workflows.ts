import { CommandError, type Terminal } from 'countersign/companion/terminal';
import type { Simulator } from '../simulator.ts';
import type { WorkflowRun } from '../workflow-run.ts';
import type { SimulateOptions } from './simulate-options.ts';

/**
 * Runs the workflows of the options one after the other. Those that wait for the user go on by `--proceed`, by a question
 * on the terminal, or by the console.
 * @throws CommandError `usage` for a step that nothing can continue
 */
export async function runWorkflows(
  simulator: Simulator,
  { workflows, inputs, proceeds, consolePort }: SimulateOptions,
  { ask, untilInterrupted }: Pick<Terminal, 'ask' | 'untilInterrupted'>,
): Promise<readonly WorkflowRun[]> {
  const runs: WorkflowRun[] = [];
  for (const id of workflows) {
    const run = simulator.start(id, { inputs });
    runs.push(run);
    void untilInterrupted?.().then(() => run.cancel());
    const stuck = Promise.withResolvers<never>();
    const proceedAfter = (step: string): void => {
      if (proceeds) void Promise.resolve().then(() => run.proceed());
      else if (ask !== undefined)
        void ask('Press Enter when this step is done. ').then(() => run.proceed());
      // Otherwise, the console can continue the run.
      else if (consolePort === undefined) stuck.reject(createStuckError(id, step));
    };
    const unsubscribe = simulator.journal.subscribe((entry) => {
      if (entry.type !== 'step' || entry.run !== run.id || entry.state !== 'waiting') return;
      const step = run.steps.find(({ id }) => id === entry.step);
      if (step?.kind === 'note') proceedAfter(step.id);
    });
    // A first step that waits has reported it before the subscription.
    const first = run.steps.find(({ kind, state }) => kind === 'note' && state === 'waiting');
    if (first !== undefined) proceedAfter(first.id);
    await Promise.race([run.done, stuck.promise]);
    unsubscribe();
  }
  return runs;
}

/** Returns the error for a step that waits for a confirmation, where there is neither a terminal nor a console. */
function createStuckError(workflow: string, step: string): CommandError {
  return new CommandError(
    'usage',
    `The step "${step}" of the workflow "${workflow}" waits until you continue it, which requires a terminal or ` +
      'the console. Pass --proceed to continue after such steps.',
  );
}

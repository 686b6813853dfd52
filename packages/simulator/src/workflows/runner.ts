import type { CallServer } from '../calls/call-server.ts';
import type { SimulatorContext } from '../context.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import { SimulatorError } from '../simulator-error.ts';
import type { Simulator } from '../simulator.ts';
import type { WorkflowRun } from '../workflow-run.ts';
import { createCallDispatcher } from './call-dispatcher.ts';
import { createExecution } from './execution.ts';
import { readInputs } from './inputs.ts';
import { planWorkflow } from './plan.ts';
import { TimeLimit } from './time-limit.ts';
import { findUnsupported } from './unsupported.ts';

/** Runs workflows against an integrator. */
export interface Runner extends Pick<Simulator, 'start'> {
  readonly runs: readonly WorkflowRun[];
  close(): void;
}

/** The maximum number of steps that a run starts. */
const maxSteps = 1000;

/**
 * Creates a runner of the contract's workflows. They are mirrored: where the integrator receives, the simulator
 * delivers; where the integrator calls, the simulator waits.
 */
export function createRunner(
  context: SimulatorContext,
  calls: Pick<CallServer, 'onCall'>,
  deliverer: Pick<Deliverer, 'trigger'>,
): Runner {
  const { clock, journal, description, credentials } = context;
  const dispatcher = createCallDispatcher(calls);
  const runs: WorkflowRun[] = [];
  const passed = (id: string): WorkflowRun | undefined =>
    runs.findLast(({ workflow, state }) => workflow === id && state === 'passed');

  const start: Simulator['start'] = (name, options = {}) => {
    const data = description.workflows.find(({ id }) => id === name);
    if (data === undefined) {
      const names = description.workflows.map(({ id }) => id).join(', ');
      throw new SimulatorError(
        'unknown-name',
        `The contract has no workflow "${name}". ${names === '' ? 'It has none.' : `The workflows are ${names}.`}`,
      );
    }
    const [problem] = findUnsupported(data, description.notifications);
    if (problem !== undefined)
      throw new SimulatorError(
        'unsupported-workflow',
        `The workflow "${name}" cannot run: ${problem.message}`,
      );
    const inputs = readInputs(name, data.inputs, options.inputs ?? {}, credentials);
    const id = `${name}-${runs.length + 1}`;
    let state: WorkflowRun['state'] = 'running';
    let count = 0;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const record = (entry: 'started' | 'passed' | 'failed', message: string): void => {
      journal.add({
        type: 'step',
        at: clock.now(),
        run: id,
        workflow: name,
        state: entry,
        message,
      });
    };
    const execution = createExecution(
      planWorkflow(data),
      inputs,
      {
        id,
        context,
        deliverer,
        dispatcher,
        random: context.random.fork(`workflow run ${id}`),
        limit: new TimeLimit(),
        firstCall: dispatcher.next(),
        ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
        carried: new Map(),
        passed,
        isExhausted: () => (count += 1) > maxSteps,
      },
      '',
      (end, message) => {
        state = end;
        record(end, message);
        if (runs.every((one) => one.state !== 'running')) dispatcher.forget();
        resolve();
      },
    );
    const run: WorkflowRun = {
      id,
      workflow: name,
      get state() {
        return state;
      },
      get steps() {
        return execution.steps;
      },
      get outputs() {
        return execution.outputs;
      },
      proceed: () => void execution.proceed(),
      cancel: () => execution.cancel('The run was cancelled.'),
      done,
    };
    runs.push(run);
    record('started', data.summary ?? `The workflow "${name}" starts.`);
    execution.begin();
    return run;
  };

  return {
    start,
    runs,
    close() {
      for (const run of runs) run.cancel();
      dispatcher.close();
    },
  };
}

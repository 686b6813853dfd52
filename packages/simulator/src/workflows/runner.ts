import type { CallServer } from '../calls/call-server.ts';
import type { SimulatorContext } from '../context.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import { SimulatorError } from '../simulator-error.ts';
import { leavesOf } from '../json-path.ts';
import type { Json, NotificationData } from '../service-description.ts';
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

/** The maximum number of runs that are listed. Beyond it, the oldest that has ended is forgotten. */
const maxRuns = 1000;

/** The length of the longest text that a payload takes from an earlier call: longer ones do not identify anything. */
const maxCarried = 10_000;

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
  const runs: WorkflowRun[] = [];
  const awaited = new Set(
    description.workflows.flatMap(({ steps }) =>
      steps.flatMap(({ kind, targets }) => (kind === 'call' ? targets : [])),
    ),
  );
  const dispatcher = createCallDispatcher(
    calls,
    (operation) => awaited.has(operation) && runs.some(({ state }) => state === 'running'),
  );
  let count = 0;
  const members = namesIn(description.notifications);
  const isCarried = (member: string, value: Json): boolean =>
    members.has(member) && (typeof value !== 'string' || value.length <= maxCarried);
  /** The newest passed run of each workflow, which is needed longer than it is listed. */
  const lastPassed = new Map<string, WorkflowRun>();

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
    count += 1;
    const id = `${name}-${count}`;
    let state: WorkflowRun['state'] = 'running';
    let steps = 0;
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
    const carried = new Map<string, Json>();
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
        ...(options.callTimeoutMs === undefined ? {} : { callTimeoutMs: options.callTimeoutMs }),
        carried,
        carry(member, value) {
          if (isCarried(member, value)) carried.set(member, value);
        },
        passed: (workflow) => lastPassed.get(workflow),
        isExhausted: () => (steps += 1) > maxSteps,
      },
      '',
      (end, message) => {
        state = end;
        if (end === 'passed') lastPassed.set(name, run);
        record(end, message);
        dispatcher.release();
        forgetOldest(runs);
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

function forgetOldest(runs: WorkflowRun[]): void {
  while (runs.length > maxRuns) {
    const oldest = runs.findIndex(({ state }) => state !== 'running');
    if (oldest === -1) return;
    runs.splice(oldest, 1);
  }
}

/** Returns the names of the members that payloads of notifications have. */
function namesIn(notifications: readonly NotificationData[]): ReadonlySet<string> {
  return new Set(
    notifications.flatMap(({ examples, samples }) =>
      [...examples.map(({ value }) => value), ...samples]
        .flatMap((value) => leavesOf(value))
        .map(({ path }) => path.at(-1) ?? ''),
    ),
  );
}

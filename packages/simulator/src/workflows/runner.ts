import type { CallServer } from '../calls/call-server.ts';
import type { SimulatorContext } from '../context.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { leavesOf } from '../sending/json-path.ts';
import type { StepEntry } from '../entry.ts';
import type { Json } from 'countersign/kit';
import type { ServedWorkflow, Service } from '../service.ts';
import type { Simulator } from '../simulator.ts';
import type { RunOptions, StepState, WorkflowRun } from '../workflow-run.ts';
import { createCallDispatcher, type CallDispatcher } from './call-dispatcher.ts';
import { createExecution, type OnEnd } from './execution.ts';
import { readInputs } from './inputs.ts';
import { planWorkflow, stepsOf } from './plan.ts';
import type { Execution, RunHost } from './run-host.ts';
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
  return new WorkflowRunner(context, calls, deliverer);
}

class WorkflowRunner implements Runner {
  readonly runs: WorkflowRun[] = [];
  readonly #context: SimulatorContext;
  readonly #deliverer: Pick<Deliverer, 'trigger'>;
  readonly #dispatcher: CallDispatcher;
  /** The names of the members that payloads take from earlier calls. */
  readonly #members: ReadonlySet<string>;
  /** The newest passed run of each workflow, which is needed longer than it is listed. */
  readonly #lastPassed = new Map<string, WorkflowRun>();
  #count = 0;

  constructor(
    context: SimulatorContext,
    calls: Pick<CallServer, 'onCall'>,
    deliverer: Pick<Deliverer, 'trigger'>,
  ) {
    const { workflows } = context.description;
    const awaited = new Set(
      workflows.flatMap((workflow) =>
        stepsOf(workflow).flatMap(({ kind, names }) => (kind === 'call' ? names : [])),
      ),
    );
    this.#context = context;
    this.#deliverer = deliverer;
    this.#members = namesIn(context.description);
    this.#dispatcher = createCallDispatcher(
      calls,
      (operation) => awaited.has(operation) && this.runs.some(({ state }) => state === 'running'),
    );
  }

  readonly start: Simulator['start'] = (name, options = {}) => {
    const workflow = this.#findWorkflow(name);
    const inputs = readInputs(
      name,
      workflow.definition['inputs'],
      options.inputs ?? {},
      this.#context.credentials,
    );
    this.#count += 1;
    const id = `${name}-${this.#count}`;
    const host = this.#createHost(id, options);
    const run = new Run(
      id,
      name,
      (onEnd) => createExecution(planWorkflow(workflow), inputs, host, '', onEnd),
      (state, message) => {
        if (state === 'passed') this.#lastPassed.set(name, run);
        this.#record(run, state, message);
        this.#dispatcher.release();
        forgetOldest(this.runs);
      },
    );
    this.runs.push(run);
    this.#record(run, 'started', workflow.summary ?? `The workflow "${name}" starts.`);
    run.begin();
    return run;
  };

  close(): void {
    for (const run of this.runs) run.cancel();
    this.#dispatcher.close();
  }

  #findWorkflow(name: string): ServedWorkflow {
    const { workflows, notifications } = this.#context.description;
    const workflow = workflows.find(({ id }) => id === name);
    if (workflow === undefined) {
      const names = workflows.map(({ id }) => id).join(', ');
      throw new SimulatorError(
        'unknown-name',
        `The contract has no workflow "${name}". ${names === '' ? 'It has none.' : `The workflows are ${names}.`}`,
      );
    }
    const [problem] = findUnsupported(workflow, notifications);
    if (problem !== undefined)
      throw new SimulatorError(
        'unsupported-workflow',
        `The workflow "${name}" cannot run: ${problem.message}`,
      );
    return workflow;
  }

  #createHost(id: string, { callTimeoutMs }: RunOptions): RunHost {
    const context = this.#context;
    const carried = new Map<string, Json>();
    let steps = 0;
    return {
      id,
      context,
      deliverer: this.#deliverer,
      dispatcher: this.#dispatcher,
      random: context.random.fork(`workflow run ${id}`),
      limit: new TimeLimit(),
      firstCall: this.#dispatcher.next(),
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
      carried,
      carry: (member, value) => {
        if (this.#members.has(member) && !isTooLong(value)) carried.set(member, value);
      },
      passed: (workflow) => this.#lastPassed.get(workflow),
      isExhausted: () => (steps += 1) > maxSteps,
    };
  }

  #record({ id, workflow }: Run, state: StepEntry['state'], message: string): void {
    const { journal, clock } = this.#context;
    journal.add({ type: 'step', at: clock.now(), run: id, workflow, state, message });
  }
}

class Run implements WorkflowRun {
  readonly id: string;
  readonly workflow: string;
  readonly done: Promise<void>;
  readonly #execution: Execution;
  #state: WorkflowRun['state'] = 'running';

  constructor(id: string, workflow: string, execute: (onEnd: OnEnd) => Execution, onEnd: OnEnd) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.id = id;
    this.workflow = workflow;
    this.done = promise;
    this.#execution = execute((state, message) => {
      this.#state = state;
      onEnd(state, message);
      resolve();
    });
  }

  get state(): WorkflowRun['state'] {
    return this.#state;
  }

  get steps(): readonly StepState[] {
    return this.#execution.steps;
  }

  get outputs(): WorkflowRun['outputs'] {
    return this.#execution.outputs;
  }

  begin(): void {
    this.#execution.begin();
  }

  proceed(): void {
    this.#execution.proceed();
  }

  cancel(): void {
    this.#execution.cancel('The run was cancelled.');
  }
}

function isTooLong(value: Json): boolean {
  return typeof value === 'string' && value.length > maxCarried;
}

function forgetOldest(runs: WorkflowRun[]): void {
  while (runs.length > maxRuns) {
    const oldest = runs.findIndex(({ state }) => state !== 'running');
    if (oldest === -1) return;
    runs.splice(oldest, 1);
  }
}

/** Returns the names of the members that payloads of notifications have. */
function namesIn({ notifications, samples }: Service): ReadonlySet<string> {
  return new Set(
    [
      ...notifications.flatMap(({ examples }) => examples.map(({ value }) => value)),
      ...Object.values(samples.payloads).flat(),
    ]
      .flatMap((value) => leavesOf(value))
      .map(({ path }) => path.at(-1) ?? ''),
  );
}

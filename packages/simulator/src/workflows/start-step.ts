import type { Entry } from '../entry.ts';
import { isObject, memberOf, textOf, toText } from '../sending/json-object.ts';
import { leavesOf } from '../sending/json-path.ts';
import type { Json } from 'countersign/kit';
import type { Service } from '../service.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { makePayload, toMessage } from './make-payload.ts';
import { headersOf, matchCall, toExchange } from './match-call.ts';
import type { StepPlan, WorkflowPlan } from './plan.ts';
import { requestPayload } from './request-payload.ts';
import { resolveValue } from './resolve-value.ts';
import type { Execution, RunHost, Values } from './run-host.ts';
import type { Exchange, Scope } from './scope.ts';

/** How a step ended, before its criteria are evaluated. */
export interface StepOutcome {
  readonly isPassed: boolean;
  readonly message: string;
  readonly exchange?: Exchange;
  /** The workflow that the step ran. */
  readonly child?: Execution;
}

/** What a step that starts gets. */
export interface StepStart {
  readonly host: RunHost;
  readonly plan: WorkflowPlan;
  readonly scope: Scope;
  /** Milliseconds that are added to the time that a call step waits. */
  readonly delay: number;
  /** Reports what the step waits for. */
  wait(message: string): void;
  /** Replaces what the step waits for, without an entry of the journal. */
  note(message: string): void;
  end(outcome: StepOutcome): void;
  /** Adds what has to be undone when the step ends. */
  onStop(stop: () => void): void;
  /** Adds what `proceed` does. */
  onProceed(proceed: () => void): void;
  runWorkflow(id: string, inputs: Values): void;
}

/** Starts a step. The promise ends with the first attempt of a delivery. */
export async function startStep(step: StepPlan, to: StepStart): Promise<void> {
  if (step.kind === 'call') return startCall(step, to);
  if (step.kind === 'receive') return await startDelivery(step, to);
  return step.kind === 'note' ? startNote(step, to) : startWorkflow(step, to);
}

/** Returns the inputs that parameters state for a workflow. */
export function resolveParameters(parameters: readonly Json[], scope: Scope): Values {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = resolveValue(memberOf(parameter, 'value'), scope);
      return value === undefined ? [] : [[textOf(parameter, 'name') ?? '', value] as const];
    }),
  );
}

function startNote(step: StepPlan, { scope, ...to }: StepStart): void {
  const message = step.description ?? 'A step that the contract does not describe.';
  to.onProceed(() => {
    // A message that the integrator sends is known only as the step states it.
    const sent = requestPayload(step, scope);
    const message = 'Continued by hand.';
    to.end({
      isPassed: true,
      message,
      ...(sent === undefined ? {} : { exchange: toMessage(sent) }),
    });
  });
  to.wait(message);
}

function startWorkflow(step: StepPlan, { host, scope, ...to }: StepStart): void {
  const [id = ''] = step.names;
  if (step.isPrerequisite === true && host.passed(id) !== undefined) {
    to.end({ isPassed: true, message: `An earlier run of "${id}" has passed.` });
    return;
  }
  expireAfter(step.timeout, to, host);
  to.wait(`Runs the workflow "${id}".`);
  to.runWorkflow(
    id,
    step.isPrerequisite === true
      ? ownInputs(host.context.description, id, scope.inputs)
      : resolveParameters(step.parameters, scope),
  );
}

function startCall(step: StepPlan, { host, scope, ...to }: StepStart): void {
  const expected = `Waits for a call of ${step.names.map((name) => `"${name}"`).join(' or ')}.`;
  to.wait(expected);
  expireAfter((host.callTimeoutMs ?? step.timeout ?? 60_000) + to.delay, to, host);
  const stop = host.dispatcher.expect({
    operations: step.names,
    since: host.firstCall,
    match(call) {
      try {
        return matchCall(step, call, scope);
      } catch (error) {
        if (!(error instanceof SimulatorError)) throw error;
        // What the step expects cannot be evaluated. Other steps can still get the call.
        to.note(error.message);
        return { matched: -1 };
      }
    },
    refuse(differsAt) {
      to.note(`${expected} A call that differs at ${differsAt} is not part of this run.`);
    },
    accept(call) {
      const { parameters, body, operation } = call.call;
      for (const { path, value } of leavesOf(parameters.path).concat(
        leavesOf(parameters.query),
        leavesOf(isObject(body) ? body : undefined),
      ))
        host.carry(path.at(-1) ?? '', value);
      const exchange = toExchange(call);
      // Without criteria, the status decides, as for the client.
      const isPassed =
        step.definition['successCriteria'] !== undefined || (exchange.statusCode ?? 0) < 400;
      const message = `"${operation}" was called and answered with ${exchange.statusCode ?? 'no status'}.`;
      to.end({ isPassed, message, exchange });
    },
  });
  to.onStop(stop);
}

async function startDelivery(
  step: StepPlan,
  { host, plan, scope, ...to }: StepStart,
): Promise<void> {
  const { context, carried, random, deliverer } = host;
  const { description, journal } = context;
  const sources = { description, plan, scope, carried, random: random.fork(step.id) };
  const made = makePayload(step, sources);
  if (made === undefined) {
    to.end({ isPassed: false, message: 'The contract has no payload for the step.' });
    return;
  }
  const { kind, payload } = made;
  to.wait(`Delivers "${kind}".`);
  expireAfter(step.timeout, to, host);
  const [headers, parameters] = ['header', 'path'].map((place) => {
    const placeParameters = step.parameters.filter(
      (parameter) => textOf(parameter, 'in') === place,
    );
    const resolved = Object.entries(resolveParameters(placeParameters, scope));
    return Object.fromEntries(resolved.map(([name, value]) => [name, toText(value)]));
  });
  const delivery = await deliverer.trigger(kind, {
    payload,
    run: host.id,
    ...(headers === undefined ? {} : { headers }),
    ...(parameters === undefined ? {} : { parameters }),
  });
  const sent = delivery.attempts.at(-1);
  const exchange = toMessage(payload, headersOf(sent?.request.headers ?? []));
  const finish = (isPassed: boolean): void => {
    const message = isPassed
      ? `"${kind}" was acknowledged.`
      : `"${kind}" was not acknowledged by the receiver.`;
    to.end({ isPassed, message, exchange });
  };
  if (delivery.state !== 'pending') {
    finish(delivery.state === 'acknowledged');
    return;
  }
  to.note(`"${kind}" was not acknowledged yet. It is sent again.`);
  to.onStop(
    journal.subscribe((entry: Entry) => {
      if (entry.type !== 'delivery' || entry.delivery !== delivery.id) return;
      if (entry.isAcknowledged) finish(true);
      else if (entry.nextAttemptInMs === undefined) finish(false);
    }),
  );
}

function expireAfter(
  timeout: number | undefined,
  to: Pick<StepStart, 'end' | 'onStop'>,
  { context: { clock } }: RunHost,
): void {
  if (timeout === undefined) return;
  const message = `The step did not end within ${timeout} ms.`;
  to.onStop(clock.schedule(clock.now() + timeout, () => to.end({ isPassed: false, message })));
}

/** Returns those of a workflow's inputs that another workflow, which has to be completed before, has as well. */
function ownInputs({ workflows }: Service, id: string, inputs: Values): Values {
  const schema = workflows.find((workflow) => workflow.id === id)?.definition['inputs'];
  return Object.fromEntries(
    Object.entries(inputs).filter(
      ([name]) => memberOf(memberOf(schema, 'properties'), name) !== undefined,
    ),
  );
}

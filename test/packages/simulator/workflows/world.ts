import { createContext } from '../../../../packages/simulator/src/create-context.ts';
import type { SimulatorContext } from '../../../../packages/simulator/src/context.ts';
import type { AnsweredCall } from '../../../../packages/simulator/src/calls/call-server.ts';
import type { StepEntry } from '../../../../packages/simulator/src/entry.ts';
import { createMemoryJournal } from '../../../../packages/simulator/src/memory-journal.ts';
import type { Json } from 'countersign/kit';
import type {
  Check,
  ServedNotification,
  ServedWorkflow,
} from '../../../../packages/simulator/src/service.ts';
import type { Delivery, TriggerOptions } from '../../../../packages/simulator/src/simulator.ts';
import { createClock } from '../../../../packages/simulator/src/virtual-clock.ts';
import { type Runner, createRunner } from '../../../../packages/simulator/src/workflows/runner.ts';

/** A notification that the runner has triggered. */
interface Triggered {
  readonly kind: string;
  readonly payload: Json;
  readonly options: TriggerOptions;
}

/** A runner with stand-ins for the calls and the receiver, and a manual clock. */
export interface World {
  readonly runner: Runner;
  readonly context: SimulatorContext;
  readonly triggered: readonly Triggered[];
  /** What the receiver does with the next deliveries; `acknowledged` when the list is empty. */
  readonly outcomes: (Delivery['state'] | Error)[];
  /** Called while a delivery is handled, before it is acknowledged. */
  onTrigger: (triggered: Triggered) => void;
  call(operation: string, parts?: CallParts): void;
  /** Ends a pending delivery. */
  endDelivery(delivery: string, isAcknowledged: boolean): void;
  /** The entries of the journal as `step state`; the run itself has no step. */
  entries(): readonly string[];
}

interface CallParts {
  readonly body?: Json;
  readonly query?: Readonly<Record<string, Json>>;
  readonly path?: Readonly<Record<string, Json>>;
  readonly header?: Readonly<Record<string, Json>>;
  readonly status?: number;
  readonly responseBody?: Json;
  readonly responseHeaders?: readonly (readonly [string, string])[];
  readonly recordedHeaders?: readonly (readonly [string, string])[];
}

export interface WorldOptions {
  readonly notifications?: readonly Partial<ServedNotification>[];
  /** Payloads that are made from schemas, by kind. */
  readonly samples?: Readonly<Record<string, readonly Json[]>>;
  readonly checks?: ReadonlyMap<string, Check>;
  readonly seed?: number;
}

/** Creates a world with workflows. */
export function createWorld(
  workflows: readonly ServedWorkflow[],
  { notifications = [], samples = {}, checks = new Map(), seed = 1 }: WorldOptions = {},
): World {
  const journal = createMemoryJournal();
  const clock = createClock(true);
  const description = {
    modelVersion: 2 as const,
    info: { title: 'Library', version: '1.0.0' },
    operations: [],
    notifications: notifications.map((notification): ServedNotification => ({
      name: 'lent',
      label: { path: '/lent', parameters: [] },
      delivery: { method: 'POST', contentType: 'application/json', headers: {} },
      wire: 'none',
      examples: [],
      invalidExamples: [],
      security: [],
      openCodes: [],
      ...notification,
    })),
    security: [],
    credentials: [{ name: 'clientId', form: 'text' as const }],
    unstated: [],
    workflows,
    servers: { overrides: [], tokenEndpoints: [] },
    samples: { bodies: {}, payloads: samples },
    checks,
    parameterChecks: new Map(),
  };
  const context = createContext(description, { seed }, clock, journal);
  const triggered: Triggered[] = [];
  const outcomes: (Delivery['state'] | Error)[] = [];
  const listeners = new Set<(call: AnsweredCall) => void>();
  const runner = createRunner(
    context,
    {
      onCall(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    {
      async trigger(kind, options = {}) {
        await Promise.resolve();
        const trigger = { kind, payload: options.payload ?? null, options };
        triggered.push(trigger);
        world.onTrigger(trigger);
        const outcome = outcomes.shift() ?? 'acknowledged';
        if (outcome instanceof Error) throw outcome;
        const id = `delivery-${triggered.length}`;
        return { id, kind, attempts: [attempt(id, kind)], state: outcome };
      },
    },
  );
  const attempt = (delivery: string, kind: string, isAcknowledged = true) =>
    journal.add({
      type: 'delivery',
      at: clock.now(),
      delivery,
      attempt: 1,
      kind,
      faults: [],
      request: {
        method: 'POST',
        url: 'http://127.0.0.1/lent',
        headers: [['X-Trace', 'abc']],
        body: { encoding: 'utf-8', text: '', size: 0 },
      },
      durationMs: 1,
      isAcknowledged,
      violations: [],
    });
  const world: World = {
    runner,
    context,
    triggered,
    outcomes,
    onTrigger: () => undefined,
    call(operation, parts = {}) {
      const { body, query = {}, path = {}, header = {}, status = 200 } = parts;
      const url = `http://127.0.0.1/${operation}`;
      const empty = { encoding: 'utf-8' as const, text: '', size: 0 };
      const entry = journal.add({
        type: 'call',
        at: clock.now(),
        operation,
        request: { method: 'POST', url, headers: parts.recordedHeaders ?? [], body: empty },
        response: { status, headers: parts.responseHeaders ?? [], body: empty },
        durationMs: 1,
        faults: [],
        steps: [],
      });
      const call = {
        operation,
        method: 'POST',
        url,
        parameters: { path, query, header, cookie: {} },
        body,
      };
      for (const listener of listeners) listener({ call, entry, responseBody: parts.responseBody });
    },
    endDelivery(delivery, isAcknowledged) {
      attempt(delivery, 'lent', isAcknowledged);
    },
    entries: () =>
      journal
        .list({ type: 'step' })
        .filter((entry): entry is StepEntry => entry.type === 'step')
        .map(({ step = '', state }) => `${step} ${state}`.trim()),
  };
  return world;
}

/** Describes a workflow. The kind of a step follows from its members. */
export function workflow(
  id: string,
  steps: readonly ({ readonly stepId: string } & { readonly [member: string]: Json })[],
  definition: { readonly [member: string]: Json } = {},
): ServedWorkflow {
  return {
    id,
    steps: steps.map(({ stepId, ...step }) => {
      const target = ['call', 'receive', 'workflow', 'note'] as const;
      const kind = target.find((candidate) => step[candidate] !== undefined) ?? 'note';
      const named = step[kind];
      const { [kind]: _, ...rest } = step;
      if (kind === 'note') return { id: stepId, kind, description: '' };
      const names = Array.isArray(named)
        ? named.map(String)
        : [JSON.stringify(named).replaceAll('"', '')];
      return { id: stepId, kind, names, definition: rest };
    }),
    definition,
  };
}

/** Lets promises that are settled continue. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

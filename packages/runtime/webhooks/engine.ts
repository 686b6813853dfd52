// What the adapters of engines share.

import type { StoredDelivery, TraceContext } from './contract.ts';
import { digest } from './identify.ts';
import { serialize } from './serialize.ts';

/** A delivery, as an engine takes it. */
export interface EngineMessage {
  readonly id: string;
  readonly text: string;
  /** A digest of the order key, or of the id if the delivery has none: 44 characters that every engine accepts. */
  readonly key: string;
}

/** Writes a delivery for an engine, with the trace that its consumer continues. */
export async function toMessage(
  delivery: StoredDelivery,
  trace: (() => TraceContext) | undefined,
): Promise<EngineMessage> {
  const { id, orderKey } = delivery;
  const text = serialize(trace === undefined ? delivery : { ...delivery, trace: trace() });
  return { id, text, key: await digest(orderKey ?? id) };
}

/** Tasks of which those with one key run one after another, and others at the same time. */
export interface Lanes {
  /** Runs a task after those with its key, whatever became of them. Resolves or rejects with it. */
  add(key: string, task: () => Promise<void>): Promise<void>;
  /** Waits until no task runs. */
  end(): Promise<void>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Promise<void>>();
  return {
    async add(key, task) {
      const running = (lanes.get(key) ?? Promise.resolve()).then(task);
      const lane = running
        .catch(() => undefined)
        .finally(() => {
          if (lanes.get(key) === lane) lanes.delete(key);
        });
      lanes.set(key, lane);
      await running;
    },
    async end() {
      await Promise.all(lanes.values());
    },
  };
}

/** Waits for so many milliseconds, but no longer than until the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = Number.isFinite(milliseconds) ? setTimeout(end, milliseconds) : undefined;
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

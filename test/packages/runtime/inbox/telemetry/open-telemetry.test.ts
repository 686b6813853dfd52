import * as api from '@opentelemetry/api';
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  createInbox,
  createWorker,
  type InboxDelivery,
  type InboxTelemetry,
} from '@countersign/runtime/inbox';
import { openTelemetry } from '@countersign/runtime/inbox/telemetry';
import { openSqlite } from '../sqlite/sqlite-harness.ts';

const spans = new InMemorySpanExporter();
const tracing = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
});
const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
let metering: MeterProvider;

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  trace.setGlobalTracerProvider(tracing);
});

beforeEach(() => {
  spans.reset();
  exported.reset();
  metrics.disable();
  metering = new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 2 ** 30 }),
    ],
  });
  metrics.setGlobalMeterProvider(metering);
});

afterAll(async () => {
  await tracing.shutdown();
  for (const api of [context, propagation, trace, metrics]) api.disable();
});

const delivery: InboxDelivery = {
  method: 'POST',
  target: '/hooks?secret-target',
  headers: [
    ['x-secret', 'secret-header'],
    ['TraceParent', '00-11111111111111111111111111111111-2222222222222222-01'],
    ['tracestate', 'sender=secret'],
  ],
  body: Buffer.from('secret-body'),
  events: [{ kind: 'shipped', orderKey: 'secret-key', identity: 'secret-identity' }],
};

/** Waits until so many spans have ended, and returns those with a name. */
async function ended(count: number, name: string): Promise<readonly ReadableSpan[]> {
  await expect.poll(() => spans.getFinishedSpans()).toHaveLength(count);
  return spans.getFinishedSpans().filter((span) => span.name === name);
}

/** Returns the values of the metrics by name, and by state if they have one. For a histogram, the number of values. */
async function collect(): Promise<Readonly<Record<string, number>>> {
  exported.reset();
  await metering.forceFlush();
  const values: Record<string, number> = {};
  for (const { scopeMetrics } of exported.getMetrics())
    for (const { metrics: all } of scopeMetrics)
      for (const { descriptor, dataPoints } of all)
        for (const { value, attributes } of dataPoints) {
          const number = typeof value === 'number' ? value : value.count;
          const state = attributes['countersign.inbox.state'];
          const name = typeof state === 'string' ? `${descriptor.name} ${state}` : descriptor.name;
          values[name] = (values[name] ?? 0) + number;
        }
  return values;
}

test('receipt, attempts and what the handler does are one trace', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const telemetry = openTelemetry(api);
  const inbox = createInbox({ store, telemetry });
  const tracer = trace.getTracer('application');
  const { receiptId } = await tracer.startActiveSpan('POST /hooks', async (span) => {
    try {
      return await inbox.receive(delivery);
    } finally {
      span.end();
    }
  });
  const worker = createWorker({
    store,
    telemetry,
    clock: () => clock.now,
    retry: { firstDelayMs: 0 },
    handle: async (_, { attempt }) => {
      tracer.startSpan(`ship ${attempt}`).end();
      if (attempt === 1) throw Object.assign(new Error('secret-message'), { code: 'E_BUSY' });
    },
  });
  const [first, second] = await ended(6, 'handle inbox');
  await worker.close();
  const [stored] = await ended(6, 'store inbox');
  const [request] = await ended(6, 'POST /hooks');
  const traces = spans.getFinishedSpans().map((span) => span.spanContext().traceId);
  expect(new Set(traces).size).toBe(1);
  expect(stored?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  for (const attempt of [first, second])
    expect(attempt?.parentSpanContext?.spanId).toBe(stored?.spanContext().spanId);
  const [shipped] = await ended(6, 'ship 2');
  expect(shipped?.parentSpanContext?.spanId).toBe(second?.spanContext().spanId);

  expect(stored).toMatchObject({
    kind: SpanKind.PRODUCER,
    attributes: {
      'messaging.system.name': 'countersign.inbox',
      'messaging.destination.name': 'inbox',
      'messaging.operation.name': 'store',
      'messaging.operation.type': 'send',
      'messaging.message.id': receiptId,
      'countersign.inbox.status': 'stored',
    },
  });
  expect(first).toMatchObject({
    kind: SpanKind.CONSUMER,
    status: { code: SpanStatusCode.ERROR },
    attributes: {
      'messaging.operation.name': 'handle',
      'messaging.operation.type': 'process',
      'messaging.message.id': `${receiptId}-0`,
      'countersign.inbox.kind': 'shipped',
      'countersign.inbox.attempt': 1,
      'countersign.inbox.outcome': 'failed',
      'error.type': 'E_BUSY',
    },
  });
  expect(second?.attributes).toMatchObject({ 'countersign.inbox.outcome': 'handled' });

  const reported = spans
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  await metering.forceFlush();
  expect(JSON.stringify(reported) + JSON.stringify(exported.getMetrics())).not.toContain('secret');
});

test("the trace context that is stored is the receipt's, without the sender's and without baggage", async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const baggage = propagation.createBaggage({ name: { value: 'secret' } });
  const { receiptId } = await context.with(
    propagation.setBaggage(context.active(), baggage),
    async () => await createInbox({ store, telemetry: openTelemetry(api) }).receive(delivery),
  );
  const [stored] = await ended(1, 'store inbox');
  const { traceId, spanId } = stored?.spanContext() ?? {};
  expect((await store.reveal(`${receiptId}-0`, 'ana'))?.headers).toEqual([
    ['x-secret', 'secret-header'],
    ['traceparent', `00-${traceId}-${spanId}-01`],
    ['x-countersign-telemetry', '1'],
  ]);
});

test('metrics count deliveries and attempts, and report the queue', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const telemetry = openTelemetry(api, { maxStatsAgeMs: 0 });
  const inbox = createInbox({ store, telemetry, maxBacklogEvents: 3, clock: () => clock.now });
  await inbox.receive(delivery);
  await inbox.receive(delivery);
  await inbox.receive({ ...delivery, events: [{ kind: 'broken' }, { kind: 'broken' }] });
  await expect(inbox.receive({ ...delivery, events: [{}] })).rejects.toThrow();
  clock.now += 5000;
  let buried = 0;
  const worker = createWorker({
    store,
    telemetry,
    clock: () => clock.now,
    retry: { firstDelayMs: 0, attempts: 3 },
    kinds: { broken: { concurrency: 1, retry: { attempts: 2 } } },
    handle: async ({ kind }) => {
      if (kind === 'broken') throw new Error('broken');
    },
    onDeadLetter: () => {
      buried += 1;
    },
  });
  await expect.poll(() => buried).toBe(2);
  await inbox.receive({ ...delivery, events: [{ kind: 'broken' }] });
  await expect.poll(() => buried).toBe(3);
  await ended(4 + 1 + 1 + 6, 'handle inbox');
  expect(await collect()).toEqual({
    'countersign.inbox.received': 4,
    'countersign.inbox.duplicates': 1,
    'countersign.inbox.refused': 1,
    'countersign.inbox.handled': 1,
    'countersign.inbox.failed': 6,
    'countersign.inbox.dead': 3,
    'messaging.process.duration': 7,
    'countersign.inbox.events ready': 0,
    'countersign.inbox.events waiting': 0,
    'countersign.inbox.events retry': 0,
    'countersign.inbox.events working': 0,
    'countersign.inbox.events done': 1,
    'countersign.inbox.events dead': 3,
    'countersign.inbox.events discarded': 0,
    'countersign.inbox.depth': 0,
    'countersign.inbox.backlog': 0,
    'countersign.inbox.blocked_keys': 0,
    'countersign.inbox.oldest_age': 0,
    'countersign.inbox.interruptions': 0,
  });
  await worker.close();
  const stats = vi.spyOn(store, 'stats');
  await collect();
  expect(stats).not.toHaveBeenCalled();
});

test('the dead letters of earlier processes are reported after a restart', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const inbox = createInbox({ store, clock: () => clock.now });
  await inbox.receive({ ...delivery, events: [{}, {}] });
  for (const claim of await store.claim({ owner: 'earlier', maxEvents: 2, leaseMs: 20_000 }))
    await store.bury(claim, { error: 'broken', afterDeadLetter: 'wait' });
  const worker = createWorker({
    store: harness.another(),
    telemetry: openTelemetry(api),
    clock: () => clock.now,
    handle: () => undefined,
  });
  const counted = await collect();
  expect(counted['countersign.inbox.events dead']).toBe(2);
  expect(counted['countersign.inbox.dead'] ?? 0).toBe(0);
  await worker.close();
});

test('a postponed attempt has not failed, and an event without effect is handled', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const telemetry = openTelemetry(api, { maxStatsAgeMs: 0 });
  await createInbox({ store, telemetry }).receive({ ...delivery, events: [{}, {}] });
  const worker = createWorker({
    store,
    telemetry,
    clock: () => clock.now,
    handle: ({ position }, { completeWithoutEffect, retryAt }) =>
      position === 0
        ? completeWithoutEffect()
        : retryAt(new Date(clock.now + 60_000), 'The bank is closed'),
  });
  const attempts = await ended(3, 'handle inbox');
  expect(attempts.map(({ attributes }) => attributes['countersign.inbox.outcome'])).toEqual(
    expect.arrayContaining(['without-effect', 'postponed']),
  );
  for (const { status } of attempts) expect(status.code).toBe(SpanStatusCode.UNSET);
  const counted = await collect();
  expect(counted['countersign.inbox.handled']).toBe(1);
  expect(counted['countersign.inbox.failed'] ?? 0).toBe(0);
  await worker.close();
});

test('the depth and the age are read once for several exports', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await createInbox({ store, clock: () => clock.now }).receive(delivery);
  clock.now += 5000;
  const stats = vi.spyOn(store, 'stats');
  const stop = openTelemetry(api, { name: 'hooks' }).observe(() => store.stats());
  for (let count = 0; count < 3; count += 1)
    expect(await collect()).toMatchObject({
      'countersign.inbox.depth': 1,
      'countersign.inbox.backlog': 1,
      'countersign.inbox.oldest_age': 5,
    });
  expect(stats).toHaveBeenCalledTimes(1);
  stop();
});

test('a store that fails leaves the other metrics', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const telemetry = openTelemetry(api);
  telemetry.observe(() => store.stats());
  await createInbox({ store, telemetry }).receive(delivery);
  await store.close();
  expect(await collect()).toEqual({ 'countersign.inbox.received': 1 });
});

test('without providers, nothing changes', async () => {
  metrics.disable();
  await using harness = await openSqlite();
  const { store } = harness;
  const telemetry = openTelemetry(api);
  const handled = Promise.withResolvers<void>();
  await createInbox({ store, telemetry }).receive(delivery);
  const worker = createWorker({ store, telemetry, handle: () => handled.resolve() });
  await handled.promise;
  await worker.close();
  expect((await store.stats()).byState.done).toBe(1);
});

/** Stores deliveries and handles them. Returns the warnings about telemetry. */
async function warningsOf(
  telemetry: { inbox?: InboxTelemetry; worker?: InboxTelemetry },
  sent: InboxDelivery = delivery,
): Promise<readonly string[]> {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const now = (): number => clock.now;
  try {
    const side = (name: 'inbox' | 'worker'): { telemetry?: InboxTelemetry } =>
      telemetry[name] === undefined ? {} : { telemetry: telemetry[name] };
    const inbox = createInbox({ store, clock: now, ...side('inbox') });
    // It is from before the worker started, when its receiver can have been another version.
    clock.now -= 1;
    await inbox.receive({ ...sent, events: [{}] });
    clock.now += 1;
    const worker = createWorker({
      store,
      clock: now,
      handle: async () => undefined,
      ...side('worker'),
    });
    await inbox.receive({ ...sent, events: [{}] });
    await inbox.receive({ ...sent, events: [{}] });
    await expect.poll(async () => (await store.stats()).byState.done).toBe(3);
    await worker.close();
    return warn.mock.calls.map(([text]) => String(text));
  } finally {
    warn.mockRestore();
  }
}

const marked: InboxDelivery = {
  ...delivery,
  headers: [
    ['x-countersign-telemetry', '1'],
    ['X-Countersign-Telemetry', '1'],
  ],
};

test('telemetry of the inbox alone, or of the worker alone, is one warning', async () => {
  const inbox = openTelemetry(api);
  const worker = openTelemetry(api);
  expect(await warningsOf({ inbox })).toEqual([
    'The inbox has `telemetry`, but the worker of an event has none',
  ]);
  expect(await warningsOf({ worker })).toEqual([
    'The worker has `telemetry`, but the inbox of an event has none',
  ]);
  // A sender cannot claim that the inbox has telemetry.
  expect(await warningsOf({ worker }, marked)).toHaveLength(1);
  expect(await warningsOf({}, marked)).toEqual([]);
  expect(await warningsOf({})).toEqual([]);
  expect(await warningsOf({ inbox, worker })).toEqual([]);
});

test('telemetry without a propagator is one warning', async () => {
  propagation.disable();
  const telemetry = openTelemetry(api);
  expect(await warningsOf({ inbox: telemetry, worker: telemetry })).toEqual([
    'OpenTelemetry has no propagator',
  ]);
});

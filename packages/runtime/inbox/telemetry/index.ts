import type * as openTelemetryModule from '@opentelemetry/api';
import type { Attributes, Context, Meter, Span, Tracer } from '@opentelemetry/api';
import { createFailureWarnings } from '../../base/index.ts';
import {
  eventStates,
  type InboxDelivery,
  type InboxEventWithPayload,
  type InboxStats,
  type Received,
} from '../store.ts';
import type { AttemptResult, InboxTelemetry } from '../telemetry.ts';

/** What `openTelemetry` uses of `@opentelemetry/api`. */
export type OpenTelemetryApi = Pick<
  typeof openTelemetryModule,
  'context' | 'metrics' | 'propagation' | 'ROOT_CONTEXT' | 'SpanKind' | 'SpanStatusCode' | 'trace'
>;

/** The options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** The name of the inbox in spans and metrics. Default: `inbox`. */
  readonly name?: string;
  /** Milliseconds for which the depth and the age of the inbox are kept between exports. Default: 10,000. */
  readonly maxStatsAgeMs?: number;
}

/** The name of the tracer and the meter. */
const scope = 'countersign/inbox';

const systemName = 'countersign.inbox';

const sending = { 'messaging.operation.name': 'store', 'messaging.operation.type': 'send' };

const processing = {
  'messaging.operation.name': 'handle',
  'messaging.operation.type': 'process',
};

/** Those that the semantic conventions recommend for `messaging.process.duration`, and longer ones. */
const durationBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60,
];

/**
 * Reports spans and metrics with the global providers of `@opentelemetry/api`, which the application passes. The trace
 * context of a receipt is stored with the headers of the delivery, and the attempts of its events continue the trace.
 * Attributes contain identifiers and kinds, and no payload, key, identity or message of an error.
 * @see https://opentelemetry.io/docs/specs/semconv/messaging/
 */
export function openTelemetry(
  api: OpenTelemetryApi,
  options: OpenTelemetryOptions = {},
): InboxTelemetry {
  const { metrics, trace } = api;
  const { name = 'inbox', maxStatsAgeMs = 10_000 } = options;
  const meter = metrics.getMeter(scope);
  const reporting: Reporting = {
    api,
    name,
    tracer: trace.getTracer(scope),
    instruments: createInstruments(meter),
    common: { 'messaging.system.name': systemName, 'messaging.destination.name': name },
    warn: createFailureWarnings(),
  };
  return {
    receive: (delivery, store) => reportReceipt(reporting, delivery, store),
    attempt: (event, attempt, run) => reportAttempt(reporting, event, attempt, run),
    observe: (read) => observeStats(reporting, meter, keepFor(maxStatsAgeMs, read)),
  };
}

/** What the reports of an inbox share. */
interface Reporting {
  readonly api: OpenTelemetryApi;
  readonly name: string;
  readonly tracer: Tracer;
  readonly instruments: ReturnType<typeof createInstruments>;
  /** The attributes of all metrics and spans. */
  readonly common: Attributes;
  readonly warn: ReturnType<typeof createFailureWarnings>;
}

/** Warns where no propagator is registered. One can be until the first use. */
function checkPropagator({ api: { propagation }, warn }: Reporting): void {
  if (propagation.fields().length > 0) return;
  warn({
    code: 'COUNTERSIGN_TELEMETRY',
    message: 'OpenTelemetry has no propagator',
    help: 'Traces of receipts and handlers are not connected. Call `propagation.setGlobalPropagator(new W3CTraceContextPropagator())`, or register it with the SDK, before the first delivery.',
  });
}

async function reportReceipt(
  reporting: Reporting,
  delivery: InboxDelivery,
  store: (delivery: InboxDelivery) => Promise<Received>,
): Promise<Received> {
  const { api, name, tracer, instruments, common } = reporting;
  const { context, SpanKind, trace } = api;
  checkPropagator(reporting);
  const attributes = {
    ...common,
    ...sending,
    'messaging.batch.message_count': delivery.events.length,
    'messaging.message.body.size': delivery.body.length,
  };
  const span = tracer.startSpan(`store ${name}`, { kind: SpanKind.PRODUCER, attributes });
  const active = trace.setSpan(context.active(), span);
  try {
    const result = await context.with(active, () => store(withTrace(api, delivery, active)));
    span.setAttributes({
      'messaging.message.id': result.receiptId,
      'countersign.inbox.status': result.status,
    });
    for (const [position, { status }] of result.events.entries())
      (status === 'stored' ? instruments.received : instruments.duplicates).add(1, {
        ...common,
        ...kindOf(delivery.events[position]?.kind),
      });
    return result;
  } catch (error) {
    instruments.refused.add(1, { ...common, ...setError(api, span, error) });
    throw error;
  } finally {
    span.end();
  }
}

async function reportAttempt(
  reporting: Reporting,
  event: InboxEventWithPayload,
  attempt: number,
  run: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const { api, name, tracer, instruments, common } = reporting;
  const { context, SpanKind, trace } = api;
  checkPropagator(reporting);
  const ofEvent = { ...common, ...kindOf(event.kind) };
  const attributes = {
    ...ofEvent,
    ...processing,
    'messaging.message.id': event.id,
    'countersign.inbox.receipt.id': event.receiptId,
    'countersign.inbox.attempt': attempt,
  };
  const parent = parentOf(api, event);
  const span = tracer.startSpan(`handle ${name}`, { kind: SpanKind.CONSUMER, attributes }, parent);
  const started = performance.now();
  let ended: Attributes = { 'countersign.inbox.outcome': 'unknown' };
  try {
    const result = await context.with(trace.setSpan(parent, span), run);
    const { outcome, error } = result;
    span.setAttribute('countersign.inbox.outcome', outcome);
    ended = { 'countersign.inbox.outcome': outcome };
    if (outcome === 'handled' || outcome === 'without-effect') instruments.handled.add(1, ofEvent);
    if (outcome === 'dead') instruments.dead.add(1, ofEvent);
    if (outcome === 'failed' || outcome === 'dead') {
      const type = setError(api, span, error);
      ended = { ...ended, ...type };
      instruments.failed.add(1, { ...ofEvent, ...type });
    }
    return result;
  } catch (error) {
    ended = { ...ended, ...setError(api, span, error) };
    throw error;
  } finally {
    const seconds = (performance.now() - started) / 1000;
    instruments.duration.record(seconds, { ...ofEvent, ...processing, ...ended });
    span.end();
  }
}

/** Returns the trace context that was stored with the headers of an event's delivery. */
function parentOf(
  { propagation, ROOT_CONTEXT }: OpenTelemetryApi,
  event: InboxEventWithPayload,
): Context {
  return propagation.extract(ROOT_CONTEXT, event.headers, {
    keys: (headers) => headers.map(([header]) => header),
    get: (headers, key) =>
      headers.find(([header]) => header.toLowerCase() === key.toLowerCase())?.[1],
  });
}

/** Observes the state of the inbox until the returned function is called. */
function observeStats(
  { instruments, common }: Reporting,
  meter: Meter,
  readStats: () => Promise<InboxStats>,
): () => void {
  const { events, depth, backlog, blockedKeys, oldestAge, interruptions } = instruments;
  const callback = async (result: {
    observe(gauge: typeof depth, value: number, attributes: Attributes): void;
  }): Promise<void> => {
    // A store that fails is reported by the worker; there is then no value to observe.
    const stats = await readStats().catch(() => undefined);
    if (stats === undefined) return;
    for (const state of eventStates)
      result.observe(events, stats.byState[state], { ...common, 'countersign.inbox.state': state });
    result.observe(depth, stats.depth, common);
    result.observe(backlog, stats.backlog, common);
    result.observe(blockedKeys, stats.blockedKeys, common);
    result.observe(oldestAge, (stats.oldestAgeMs ?? 0) / 1000, common);
    result.observe(interruptions, stats.interruptions, common);
  };
  const observed = [events, depth, backlog, blockedKeys, oldestAge, interruptions];
  meter.addBatchObservableCallback(callback, observed);
  return () => meter.removeBatchObservableCallback(callback, observed);
}

/** The metrics of an inbox. */
function createInstruments(meter: Meter) {
  const counter = (what: string, unit: string, description: string) =>
    meter.createCounter(`${systemName}.${what}`, { unit, description });
  return {
    received: counter('received', '{event}', 'Events that were stored'),
    duplicates: counter('duplicates', '{event}', 'Events that were stored before'),
    refused: counter('refused', '{delivery}', 'Deliveries that were not stored'),
    handled: counter('handled', '{event}', 'Events that were handled'),
    failed: counter('failed', '{attempt}', 'Attempts that failed, the last one included'),
    dead: counter('dead', '{event}', 'Events that failed for the last time'),
    duration: meter.createHistogram('messaging.process.duration', {
      unit: 's',
      description: 'Duration of an attempt',
      advice: { explicitBucketBoundaries: durationBoundaries },
    }),
    events: meter.createObservableGauge(`${systemName}.events`, {
      unit: '{event}',
      description: 'Events that the store has in each state',
    }),
    depth: meter.createObservableGauge(`${systemName}.depth`, {
      unit: '{event}',
      description: 'Events that are not finished',
    }),
    backlog: meter.createObservableGauge(`${systemName}.backlog`, {
      unit: '{event}',
      description: 'Events that can be handled, and those that wait only for such events',
    }),
    blockedKeys: meter.createObservableGauge(`${systemName}.blocked_keys`, {
      unit: '{key}',
      description: 'Keys that wait for a later attempt or for an operator',
    }),
    oldestAge: meter.createObservableGauge(`${systemName}.oldest_age`, {
      unit: 's',
      description: 'Time for which the oldest event waits that can be handled',
    }),
    interruptions: meter.createObservableCounter(`${systemName}.interruptions`, {
      unit: '{attempt}',
      description: 'Attempts that ended without a result',
    }),
  };
}

/** Returns a delivery with the trace context in its headers, instead of the context that its sender gave. */
function withTrace(
  { propagation }: OpenTelemetryApi,
  delivery: InboxDelivery,
  active: Context,
): InboxDelivery {
  const fields = new Set(propagation.fields().map((field) => field.toLowerCase()));
  const traceHeaders: [string, string][] = [];
  propagation.inject(active, traceHeaders, {
    set(headers, key, value) {
      // Baggage is data of the application.
      if (key.toLowerCase() !== 'baggage') headers.push([key, value]);
    },
  });
  const remainingHeaders = delivery.headers.filter(([header]) => !fields.has(header.toLowerCase()));
  return { ...delivery, headers: [...remainingHeaders, ...traceHeaders] };
}

function kindOf(kind: string | undefined): Attributes {
  return kind === undefined ? {} : { 'countersign.inbox.kind': kind };
}

/** Marks a span as failed. Returns the attribute with the code or the name of the error. */
function setError({ SpanStatusCode }: OpenTelemetryApi, span: Span, error: unknown): Attributes {
  const attributes = { 'error.type': toType(error) };
  span.setAttributes(attributes);
  span.setStatus({ code: SpanStatusCode.ERROR });
  return attributes;
}

function toType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Returns a function that calls another one at most once in so many milliseconds. */
function keepFor(milliseconds: number, read: () => Promise<InboxStats>): () => Promise<InboxStats> {
  let kept: { readonly at: number; readonly stats: Promise<InboxStats> } | undefined;
  return async () => {
    const now = performance.now();
    if (kept === undefined || now - kept.at >= milliseconds) kept = { at: now, stats: read() };
    return await kept.stats;
  };
}

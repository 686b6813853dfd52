// Writes a delivery as text, for an engine, and reads it. Every later version reads what an earlier one wrote.

import {
  type Rejection,
  type StoredDelivery,
  type TraceContext,
  type Violation,
  WebhookError,
} from './contract.ts';

/** The version of the texts that `serialize` writes. `parse` reads this version and all before it. */
const version = 1;

/** The maximum number of events that are listed. Those of a larger delivery have ids made from that of the delivery. */
const maxEvents = 1000;

/** The maximum number of violations and kinds, and of characters of each text about them and of a trace. */
const maxViolations = 20;
const maxKinds = 10;
const maxText = 200;
const maxTrace = 512;

/**
 * Writes a delivery as JSON, in which the body is Base64. The text is at most about 4/3 of the body, and what the headers,
 * up to 1,000 events, and 20 violations take. It has no secret and no credential.
 */
export function serialize(delivery: StoredDelivery): string {
  const { id, receivedAt, method, target, headers, body, verdict, orderKey } = delivery;
  const { events, rejection, trace } = delivery;
  return JSON.stringify({
    version,
    id,
    receivedAt,
    method,
    target,
    headers,
    verdict,
    rejection: rejection && toBounded(rejection),
    orderKey,
    count: events.length,
    events:
      events.length > maxEvents
        ? undefined
        : events.map((event) => ({
            id: event.id,
            kind: event.kind,
            orderKey: event.orderKey,
            identity: event.identity,
          })),
    trace: trace && toTrace(trace),
    body: toBase64(body),
  });
}

/**
 * Reads a delivery that `serialize` of this version or an earlier one wrote.
 * @throws WebhookError `unknown-version` for a text of a later version, and `malformed-record` for any other text. The
 * message contains nothing of the text but its version
 */
export function parse(text: string): StoredDelivery {
  const record = parseObject(text);
  const written = record['version'];
  if (typeof written !== 'number' || !Number.isSafeInteger(written) || written < 1)
    throw malformed('version');
  if (written > version)
    throw new WebhookError(
      'unknown-version',
      `The delivery is written in version ${written}, and this code reads versions up to ${version}. Update the consumer before the receiver.`,
    );
  const id = textOf(record, 'id');
  const { rejection, trace } = record;
  const body = fromBase64(textOf(record, 'body'));
  return {
    id,
    receivedAt: integerOf(record, 'receivedAt'),
    method: textOf(record, 'method'),
    target: textOf(record, 'target'),
    headers: headersOf(record['headers']),
    verdict: textOf(record, 'verdict'),
    ...(rejection !== undefined && { rejection: readRejection(rejection) }),
    ...optional(record, 'orderKey'),
    events: eventsOf(record, id, body.length),
    ...(trace !== undefined && { trace: toTrace(asObject(trace, 'trace')) }),
    body,
  };
}

type Members = Readonly<Record<string, unknown>>;

function malformed(member: string): WebhookError {
  return new WebhookError(
    'malformed-record',
    `The text is not a delivery that \`serialize\` wrote: \`${member}\` is missing or invalid.`,
  );
}

function parseObject(text: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of `JSON.parse` shows the text.
  }
  return asObject(value, 'version');
}

function asObject(value: unknown, member: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(member);
  return value as Members;
}

function textOf(members: Members, name: string): string {
  const value = members[name];
  if (typeof value !== 'string') throw malformed(name);
  return value;
}

function integerOf(members: Members, name: string): number {
  const value = members[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed(name);
  return value;
}

function optional<Name extends string>(
  members: Members,
  name: Name,
): { readonly [name in Name]?: string } {
  return members[name] === undefined
    ? {}
    : ({ [name]: textOf(members, name) } as { readonly [name in Name]: string });
}

function headersOf(value: unknown): StoredDelivery['headers'] {
  if (!Array.isArray(value)) throw malformed('headers');
  return value.map((header: unknown) => {
    if (!Array.isArray(header) || header.length !== 2) throw malformed('headers');
    const [name, content] = header as readonly unknown[];
    if (typeof name !== 'string' || typeof content !== 'string') throw malformed('headers');
    return [name, content] as const;
  });
}

function eventsOf(record: Members, id: string, bytes: number): StoredDelivery['events'] {
  const count = integerOf(record, 'count');
  const { events } = record;
  if (events === undefined) {
    // Each event has at least a byte: no number makes a list that the body does not justify.
    if (count > bytes) throw malformed('count');
    return Array.from({ length: count }, (_, index) => ({ id: `${id}-${index}` }));
  }
  if (!Array.isArray(events) || events.length !== count || count === 0) throw malformed('events');
  return events.map((value: unknown) => {
    const event = asObject(value, 'events');
    return {
      id: textOf(event, 'id'),
      ...optional(event, 'kind'),
      ...optional(event, 'orderKey'),
      ...optional(event, 'identity'),
    };
  });
}

/** Returns a trace without baggage, which is data of the application, and without a text that is too long. */
function toTrace(trace: TraceContext | Members): TraceContext {
  const { traceparent, tracestate } = trace;
  return {
    ...(isTrace(traceparent) && { traceparent }),
    ...(isTrace(tracestate) && { tracestate }),
  };
}

function isTrace(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTrace;
}

function toBounded({ reason, kinds, violations }: Rejection): Rejection {
  return {
    reason,
    kinds: kinds.slice(0, maxKinds).map(cut),
    violations: violations.slice(0, maxViolations).map((violation) => ({
      ...violation,
      pointer: cut(violation.pointer),
      message: cut(violation.message),
    })),
  };
}

function readRejection(value: unknown): Rejection {
  const rejection = asObject(value, 'rejection');
  const { kinds, violations } = rejection;
  if (!Array.isArray(kinds) || !Array.isArray(violations)) throw malformed('rejection');
  return {
    reason: textOf(rejection, 'reason') as Rejection['reason'],
    kinds: kinds.filter((kind) => typeof kind === 'string'),
    violations: violations.map((item: unknown): Violation => {
      const violation = asObject(item, 'rejection');
      return {
        ...(typeof violation['index'] === 'number' && { index: violation['index'] }),
        pointer: textOf(violation, 'pointer'),
        keyword: textOf(violation, 'keyword'),
        message: textOf(violation, 'message'),
      };
    }),
  };
}

function cut(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText - 1)}…`;
}

/** The number of bytes that are converted at once: arguments of a function are limited. */
const chunk = 0x80_00;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk)
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw malformed('body');
  }
}

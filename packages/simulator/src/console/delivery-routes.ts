import {
  dictionary,
  flag,
  json,
  list,
  members,
  readBody,
  type Reader,
  RefusedRequest,
  required,
  text,
} from '@countersign/console/frame';
import { Hono } from 'hono';
import type { DeliveryEntry } from '../entry.ts';
import { type DeliveryFault, deliveryFaults } from '../faults.ts';
import { parseExactly } from '../sending/exact-json.ts';
import { maxViolations } from '../record.ts';
import { isJsonContent } from '../media-type.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification } from '../service.ts';
import type { TriggerOptions } from '../simulator.ts';
import type { ConsoleContext } from './console-context.ts';
import { findEntry } from './entry-routes.ts';
import { labelParameters } from './label-parameters.ts';

/** A fault of deliveries. The message is for the command line too, so it does not show the place in the request. */
const fault: Reader<DeliveryFault> = (value) => {
  const deliveryFault = deliveryFaults.find((name) => name === value);
  if (deliveryFault !== undefined) return deliveryFault;
  const excerpt = JSON.stringify(value).slice(0, 60);
  throw new RefusedRequest(
    400,
    'invalid-input',
    `${excerpt} is not a fault of deliveries. The faults are ${deliveryFaults.join(', ')}.`,
  );
};

/** The content of a delivery. It does not include the receiver, which is one of those given at the start. */
const content = {
  example: text(200),
  sample: flag,
  data: json,
  payload: json,
  /** `data` and `payload` as JSON text. */
  dataText: text(1_000_000),
  payloadText: text(1_000_000),
  rawBody: text(1_000_000),
  parameters: dictionary(text()),
  headers: dictionary(text()),
  allowInvalid: flag,
  faults: list(fault),
  run: text(200),
} as const;

type ContentReader = ReturnType<typeof members<typeof content>>;

/** Sends notifications, and validates payloads. */
export function deliveryRoutes(shared: ConsoleContext): Hono {
  const { simulator } = shared;
  return new Hono()
    .post('/trigger', async (context) => {
      const { kind: requestedKind, ...options } = await readBody(
        context,
        members({ kind: text(200), ...content }),
        parseExactly,
      );
      const kind = required(requestedKind, 'kind');
      return context.json(await simulator.trigger(kind, readTexts(shared, kind, options)));
    })
    .post('/validate', async (context) => {
      const { kind, payload } = await readBody(
        context,
        members({ kind: text(200), payload: json }),
      );
      const { wire } = findKind(shared, required(kind, 'kind'));
      const compiled = simulator.description.checks.get(wire);
      return context.json({
        violations: (compiled?.violations(required(payload, 'payload')) ?? []).slice(
          0,
          maxViolations,
        ),
      });
    })
    .post('/entries/:id/send-again', async (context) => {
      const entry = findDelivery(shared, context.req.param('id'));
      return context.json(await simulator.sendAgain(entry));
    })
    .post('/entries/:id/edit', async (context) => {
      const entry = findDelivery(shared, context.req.param('id'));
      const options = readTexts(
        shared,
        entry.kind,
        await readBody(context, members(content), parseExactly),
      );
      const { path = '' } = findKind(shared, entry.kind).label ?? {};
      const parameters = { ...labelParameters(path, entry.request.url), ...options.parameters };
      return context.json(await simulator.trigger(entry.kind, { ...options, parameters }));
    });
}

/** Replaces JSON texts by the options that send their numbers as they are written. */
function readTexts(
  shared: ConsoleContext,
  kind: string,
  { dataText, payloadText, ...options }: ReturnType<ContentReader>,
): TriggerOptions {
  return {
    ...options,
    ...(dataText === undefined ? {} : { data: parseMember(dataText, '/dataText') }),
    ...(payloadText === undefined
      ? {}
      : isJsonContent(findKind(shared, kind).delivery.contentType ?? '')
        ? { rawBody: payloadText }
        : { payload: parseMember(payloadText, '/payloadText') }),
  };
}

function parseMember(value: string, where: string): Json {
  let parsed: Json;
  try {
    parsed = parseExactly(value);
  } catch {
    throw new RefusedRequest(400, 'invalid-input', `${where} is not JSON.`);
  }
  return json(parsed, where);
}

function findKind({ simulator }: ConsoleContext, kind: string): ServedNotification {
  const notification = simulator.description.notifications.find(
    (candidate) => candidate.name === kind,
  );
  if (notification !== undefined) return notification;
  throw new RefusedRequest(404, 'unknown-name', 'The contract has no such kind.');
}

function findDelivery(shared: ConsoleContext, id: string): DeliveryEntry {
  const entry = findEntry(shared, id);
  if (entry.type === 'delivery') return entry;
  throw new RefusedRequest(409, 'not-found', 'Only a delivery can be sent again.');
}

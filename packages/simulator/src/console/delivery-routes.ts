import { Hono } from 'hono';
import type { DeliveryEntry } from '../entry.ts';
import { callFaults, deliveryFaults } from '../faults.ts';
import type { NotificationData } from '../service-description.ts';
import { RefusedRequest } from './console-error.ts';
import { type ConsoleContext, readBody } from './console-context.ts';
import { findEntry } from './entry-routes.ts';
import { dictionary, flag, json, list, members, oneOf, required, text } from './input.ts';
import { labelParameters } from './label-parameters.ts';

/** What a delivery can consist of. The target is none of it: it is chosen apart, from those given at the start. */
const content = {
  example: text(200),
  from: oneOf(['example', 'sample']),
  data: json,
  payload: json,
  rawBody: text(1_000_000),
  parameters: dictionary(text()),
  headers: dictionary(text()),
  allowInvalid: flag,
  faults: list(oneOf([...deliveryFaults, ...callFaults])),
  run: text(200),
} as const;

/** Sends notifications, and validates payloads. */
export function deliveryRoutes(shared: ConsoleContext): Hono {
  const { simulator } = shared;
  return new Hono()
    .post('/trigger', async (context) => {
      const { kind, ...options } = await readBody(
        context,
        members({ kind: text(200), ...content }),
      );
      return context.json(await simulator.trigger(required(kind, 'kind'), options));
    })
    .post('/validate', async (context) => {
      const { kind, payload } = await readBody(
        context,
        members({ kind: text(200), payload: json }),
      );
      const { check } = findKind(shared, required(kind, 'kind'));
      const compiled = check === undefined ? undefined : simulator.description.checks.get(check);
      return context.json({
        violations: compiled?.violations(required(payload, 'payload')) ?? [],
      });
    })
    .post('/entries/:id/send-again', async (context) => {
      const entry = findDelivery(shared, context.req.param('id'));
      return context.json(await simulator.sendAgain(entry));
    })
    .post('/entries/:id/edit', async (context) => {
      const entry = findDelivery(shared, context.req.param('id'));
      const options = await readBody(context, members(content));
      const { path } = findKind(shared, entry.kind);
      const parameters = { ...labelParameters(path, entry.request.url), ...options.parameters };
      return context.json(await simulator.trigger(entry.kind, { ...options, parameters }));
    });
}

function findKind({ simulator }: ConsoleContext, kind: string): NotificationData {
  const found = simulator.description.notifications.find((one) => one.kind === kind);
  if (found !== undefined) return found;
  throw new RefusedRequest(404, 'unknown-name', 'The contract has no such kind.');
}

function findDelivery(shared: ConsoleContext, id: string): DeliveryEntry {
  const entry = findEntry(shared, id);
  if (entry.type === 'delivery') return entry;
  throw new RefusedRequest(409, 'not-found', 'Only a delivery can be sent again.');
}

import { Hono } from 'hono';
import {
  createWebhooksApp,
  describeFailure,
  verifyStandardWebhooks,
} from './generated/webhooks-hono/index.ts';

/** Stands for a table of what a person has to check. */
const kept = new Map<string, string>();

/** Creates an application that receives the webhooks at `/webhooks`. During a rotation, give both secrets. */
export function createApp(secrets: readonly string[], log: (line: string) => void): Hono {
  const webhooks = createWebhooksApp({
    authenticate: verifyStandardWebhooks({ keys: secrets }),
    on: {
      invoicePaid: ({ data: { data } }) => log(`paid ${data.id}: ${data.total} ${data.currency}`),
      contactCreated: ({ data: { data } }) => log(`new contact ${data.id}`),
    },
    // What this application does not need is acknowledged.
    otherwise: (_event, { id }) => log(`not in use: delivery ${id}`),
    // The sender may not repeat what is refused.
    onInvalid: ({ text, kinds, violations }, { id }) => {
      kept.set(id, text);
      log(
        `invalid ${kinds.join()}: ${violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`,
      );
    },
    onEvent({ id, reason, detail, error }) {
      if (reason === 'unauthentic') log(`refused ${detail}: delivery ${id}`);
      if (error !== undefined) log(`${reason} ${describeFailure(error).name}: delivery ${id}`);
    },
  });
  return new Hono().route('/webhooks', webhooks);
}

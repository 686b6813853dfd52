import express, { type Express } from 'express';
import {
  createWebhooksRouter,
  describeFailure,
  verifySignature,
} from './generated/webhooks-express/index.ts';

/** Stands for a table of what a person has to check. */
const kept = new Map<string, string>();

/** Creates an application that receives the events at `/webhooks`. Each event is handled once, also if it is repeated. */
export function createApp(secrets: readonly string[], log: (line: string) => void): Express {
  const app = express();
  // Before any body parser, because the signature covers the bytes of the body.
  app.use(
    '/webhooks',
    createWebhooksRouter({
      authenticate: verifySignature({ keys: secrets }),
      on: {
        paymentIntentSucceeded({ data }) {
          const { id, amount_received: amount, currency } = data.data.object;
          log(`paid ${id}: ${amount} ${currency}`);
        },
        chargeRefunded({ data }) {
          const { id, amount_refunded: amount, currency } = data.data.object;
          log(`refunded ${id}: ${amount} ${currency}`);
        },
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
    }),
  );
  return app;
}

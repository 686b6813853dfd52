import { createServer, type Server } from 'node:http';
import {
  createWebhooksListener,
  describeFailure,
  verifyHmac,
} from './generated/webhooks-node/index.ts';

/** Stands for a table of what a person has to check. */
const kept = new Map<string, string>();

/** Creates a server that receives the webhooks. The receiver itself answers `[accepted]`. */
export function createApp(keys: readonly string[], log: (line: string) => void): Server {
  return createServer(
    createWebhooksListener({
      authenticate: verifyHmac({ keys }),
      on: {
        authorisation({ data: { NotificationRequestItem: item } }) {
          const { value, currency } = item.amount;
          const result = item.success === 'true' ? 'authorized' : 'refused';
          log(`${result} ${item.merchantReference}: ${value} ${currency}`);
        },
        refund({ data: { NotificationRequestItem: item } }) {
          log(`refund of ${item.originalReference}: ${item.success}`);
        },
        otherEvent: ({ data }) => log(`not in use: ${data.NotificationRequestItem.eventCode}`),
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
}

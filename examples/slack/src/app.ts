import fastify, { type FastifyInstance } from 'fastify';
import {
  createWebhooksPlugin,
  describeFailure,
  verifySignature,
} from './generated/webhooks-fastify/index.ts';

/** Stands for a table of what a person has to check. */
const kept = new Map<string, string>();

/**
 * Creates an application that receives events and commands at `/slack`. The receiver itself returns the challenge.
 * @param clock milliseconds since 1970, which signed timestamps are compared with
 */
export function createApp(
  secrets: readonly string[],
  log: (line: string) => void,
  clock: () => number = () => Date.now(),
): FastifyInstance {
  const webhooks = createWebhooksPlugin({
    authenticate: verifySignature({ keys: secrets, clock }),
    on: {
      urlVerification: () => log('the address is verified'),
      appMention: ({ data: { event } }) => log(`${event.user} in ${event.channel}: ${event.text}`),
      slashCommand: ({ data }) => log(`${data.user_id}: ${data.command} ${data.text}`),
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
  const app = fastify();
  void app.register(webhooks, { prefix: '/slack' });
  return app;
}

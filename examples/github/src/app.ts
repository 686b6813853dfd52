import { createServer, type Server } from 'node:http';
import {
  createWebhooksListener,
  describeFailure,
  verifySignature,
} from './generated/webhooks-node/index.ts';

/** Stands for a table of what a person has to check. */
const kept = new Map<string, string>();

/** Creates a server that receives the webhooks. During a rotation of the secret, give both. */
export function createApp(secrets: readonly string[], log: (line: string) => void): Server {
  return createServer(
    createWebhooksListener({
      authenticate: verifySignature({ keys: secrets }),
      on: {
        ping: ({ data }) => log(`ping: ${data.zen ?? ''}`),
        push: ({ data }) => log(`push to ${data.repository.full_name}: ${data.ref}`),
        issuesOpened: ({ data }) => log(`opened #${data.issue.number}: ${data.issue.title}`),
        issuesReopened: ({ data }) => log(`reopened #${data.issue.number}: ${data.issue.title}`),
      },
      // What this application does not need is acknowledged.
      otherwise: (_event, { headers }) => log(`not in use: ${headers('x-github-event').join()}`),
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

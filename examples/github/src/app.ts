import { createServer, type Server } from 'node:http';
import {
  createWebhooksListener,
  describeFailure,
  verifySignature,
} from './generated/webhooks-node/index.ts';

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
      otherwise: (_event, { headers }) => log(`not in use: ${headers('x-github-event').join()}`),
      onInvalid: ({ kinds, violations }) =>
        log(
          `invalid ${kinds.join()}: ${violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')}`,
        ),
      onEvent({ id, reason, detail, error }) {
        if (reason === 'unauthentic') log(`refused ${detail}: delivery ${id}`);
        if (error !== undefined) log(`${reason} ${describeFailure(error).name}: delivery ${id}`);
      },
    }),
  );
}

import { secretHeader } from 'countersign/companion/secrets';
import type { ProofPlanner } from './planner.ts';

/** Where the options of a client certificate are described: code in a folder has no README. */
const certificateOptions =
  'the section “Client certificates” in docs/webhooks.md of the generated runtime has its options';

/** Client certificates: where one comes from depends on the deployment. */
export const certificatePlanner: ProofPlanner<'certificate'> = {
  help: certificateOptions,
  instead: (_, { scheme, verify }) =>
    `The contract states the client certificate ${scheme} for deliveries. Where it comes from depends on what accepts the connections, and whose it is on the operator of the service, so here each delivery carries a secret in the header ${secretHeader}. Replace that by \`${verify}({ from: tlsSocket(), subject: { CN: '…' } })\` on a server of Node with TLS: ${certificateOptions}.`,
};

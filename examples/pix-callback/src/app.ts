import { createServer, type Server, type ServerOptions } from 'node:https';
import { tlsSocket, type Attributes } from './generated/runtime/webhooks/client-certificate.ts';
import {
  createWebhooksListener,
  describeFailure,
  verifyBank,
} from './generated/webhooks-node/index.ts';

/** Stands for a table of what a person has to check. */
const kept: string[] = [];

/** Who calls, and whose payments these are. */
export interface Settings {
  /** The server's own certificate and key, and the authority of the bank's certificate. */
  readonly tls: Required<Pick<ServerOptions, 'cert' | 'key' | 'ca'>>;
  /** The subject of the bank's certificate. */
  readonly bank: Attributes;
  /** The Pix key of this account. */
  readonly ownKey: string;
}

/** Creates a server that requires the bank's certificate, and handles the payments to one Pix key. */
export function createApp({ tls, bank, ownKey }: Settings, log: (line: string) => void): Server {
  /** Returns whether a payment is one to this account: the certificate of a bank with many accounts does not state it. */
  const isOwn = (key: string | undefined): boolean => key === ownKey;
  const server = createServer(
    // Connections without a certificate of the bank's authority end here.
    { ...tls, requestCert: true, rejectUnauthorized: true },
    createWebhooksListener({
      authenticate: verifyBank({ from: tlsSocket(), subject: bank }),
      on: {
        pixReceived({ data: { chave, txid, endToEndId, valor } }) {
          if (isOwn(chave)) log(`paid ${txid ?? endToEndId}: ${valor}`);
          else log(`not our key: ${endToEndId}`);
        },
        pixRefunded({ data: { chave, endToEndId, devolucoes } }) {
          if (!isOwn(chave)) return log(`not our key: ${endToEndId}`);
          // A callback has every refund so far, and can be repeated: store their state by `id`, and add nothing up.
          for (const { id, valor, status } of devolucoes) log(`refund ${id}: ${valor} ${status}`);
        },
      },
      otherwise: (event, { id }) => {
        kept.push(JSON.stringify(event.data));
        log(`no payments: delivery ${id}`);
      },
      // The sender may not repeat what is refused.
      onInvalid: ({ text, kinds, violations }) => {
        kept.push(text);
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
  // A connection that is refused reaches no receiver, and the bank sees only that it ends.
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    log(`refused ${String(socket.authorizationError ?? error.code)}: connection`);
  });
  return server;
}

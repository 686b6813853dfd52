import { sharedSecret, type WebhookOptions } from '@instant-payment/webhooks';

const shared = ((globalThis as { hosted?: { seen?: (readonly (string | null)[])[] } }).hosted ??=
  {});
const seen = (shared.seen ??= []);

/** Options for the generated package of a host: whatever its handlers are handed, the suite can look at. */
export const options: WebhookOptions = {
  authenticate: sharedSecret({ header: 'x-secret' }, 'example-secret-of-the-webhook'),
  on: {},
  otherwise: { rest: (event) => void seen.push(event.ambiguous ? event.kinds : [event.kind]) },
  onInvalid: ({ reason }) => void seen.push([reason]),
};

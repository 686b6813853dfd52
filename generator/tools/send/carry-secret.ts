import type { SecretPlace, SecretProof } from '../../contract/proofs.ts';
import type { DeliveryRequest } from './sending.ts';

/** How the command adds secrets of one place to a request. */
interface Carrier {
  /** Returns whether a request has something in the place of the secret. */
  readonly isGiven: (name: string, request: DeliveryRequest) => boolean;
  readonly carry: (name: string, secret: string, request: DeliveryRequest) => DeliveryRequest;
}

const carriers: Readonly<Record<SecretPlace, Carrier>> = {
  header: inHeader((name, secret) => [name, secret]),
  // An option has the secret of a path, and writes it before the path of the notification.
  path: { isGiven: () => true, carry: (_, __, request) => request },
  query: {
    isGiven: (name, { url }) => url.searchParams.has(name),
    carry(name, secret, request) {
      const url = new URL(request.url);
      const parameter = new URLSearchParams([[name, secret]]).toString();
      url.search = [url.search.slice(1), parameter].filter(Boolean).join('&');
      return { ...request, url };
    },
  },
  cookie: inHeader((name, secret) => ['cookie', `${name}=${encodeURIComponent(secret)}`]),
  basic: inHeader((_, secret) => [
    'authorization',
    `Basic ${Buffer.from(secret).toString('base64')}`,
  ]),
  bearer: inHeader((_, secret) => ['authorization', `Bearer ${secret}`]),
};

function inHeader(
  write: (name: string, secret: string) => readonly [name: string, value: string],
): Carrier {
  return {
    isGiven(name, { headers }) {
      const [header] = write(name, '');
      return Object.keys(headers).some((given) => given.toLowerCase() === header.toLowerCase());
    },
    carry(name, secret, request) {
      const [header, value] = write(name, secret);
      return { ...request, headers: { ...request.headers, [header]: value } };
    },
  };
}

/** Returns the first secret that the command adds to a request; `undefined` if the request has one in its place. */
export function secretToCarry(
  [stated]: readonly SecretProof[],
  request: DeliveryRequest,
): SecretProof | undefined {
  if (stated === undefined) return undefined;
  return carriers[stated.place].isGiven(stated.parameterName, request) ? undefined : stated;
}

/** Returns a request with a secret. */
export function carrySecret(
  request: DeliveryRequest,
  { place, parameterName }: SecretProof,
  value: string,
): DeliveryRequest {
  return carriers[place].carry(parameterName, value, request);
}

import type { SchemeData } from './service-description.ts';

/** A name and a value. */
export type Header = readonly [name: string, value: string];

/** Where requests carry secrets of one kind. */
interface SecretPlace {
  /** Returns whether the secret of a scheme is there. */
  readonly isOf: (scheme: SchemeData) => boolean;
  /** Returns the header or the parameter of the query with a secret. */
  readonly carry: (
    name: string,
    secret: string,
  ) => { readonly header?: Header; readonly query?: Header };
  /** Whether the key of the options is not the secret: the credential, or one of the headers of the options is. */
  readonly isHeader?: true;
}

/** The places in which the simulator carries secrets. An option has a secret in the path. */
const places: readonly SecretPlace[] = [
  {
    isOf: (scheme) => isKeyIn(scheme, 'header'),
    carry: (name, secret) => ({ header: [name, secret] }),
    isHeader: true,
  },
  {
    isOf: (scheme) => isKeyIn(scheme, 'query'),
    carry: (name, secret) => ({ query: [name, secret] }),
  },
  {
    isOf: (scheme) => isKeyIn(scheme, 'cookie'),
    carry: (name, secret) => ({ header: ['cookie', `${name}=${encodeURIComponent(secret)}`] }),
  },
  {
    isOf: ({ type, httpScheme }) => type === 'http' && httpScheme === 'basic',
    carry: (_, secret) => ({
      header: ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`],
    }),
  },
  {
    isOf: ({ type, httpScheme }) => type === 'http' && httpScheme === 'bearer',
    carry: (_, secret) => ({ header: ['authorization', `Bearer ${secret}`] }),
  },
];

/** Returns where a request carries the secret of a scheme; `undefined` if it has none, or the simulator cannot send it. */
export function secretPlaceOf(scheme: SchemeData): SecretPlace | undefined {
  const isSecret = (scheme.signature ?? scheme.bodySignature) === undefined;
  return isSecret ? places.find(({ isOf }) => isOf(scheme)) : undefined;
}

/** Returns whether deliveries carry the key of the options as the secret of a scheme. */
export function carriesKey(scheme: SchemeData): boolean {
  const place = secretPlaceOf(scheme);
  return place !== undefined && place.isHeader !== true && scheme.accessToken === undefined;
}

function isKeyIn({ type, in: place }: SchemeData, stated: SchemeData['in']): boolean {
  return type === 'apiKey' && place === stated;
}

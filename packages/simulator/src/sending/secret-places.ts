import type { SecretPlace, SecurityScheme } from 'countersign/kit';

/** A name and a value. */
export type Header = readonly [name: string, value: string];

/** What a request has of a secret: a header, or a parameter of the query. */
export interface CarriedSecret {
  readonly header?: Header;
  readonly query?: Header;
}

const carriers: Readonly<Record<SecretPlace, (name: string, secret: string) => CarriedSecret>> = {
  header: (name, secret) => ({ header: [name, secret] }),
  // An option has the secret of a path, and writes it before the path of the label.
  path: () => ({}),
  query: (name, secret) => ({ query: [name, secret] }),
  cookie: (name, secret) => ({ header: ['cookie', `${name}=${encodeURIComponent(secret)}`] }),
  basic: (_, secret) => ({
    header: ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`],
  }),
  bearer: (_, secret) => ({ header: ['authorization', `Bearer ${secret}`] }),
};

/**
 * Returns what carries a secret in a request.
 * @param name the name of the header, the parameter of the query or the cookie
 */
export function carrySecret(place: SecretPlace, name: string, secret: string): CarriedSecret {
  return carriers[place](name, secret);
}

/** Returns a URL with more in its query, behind what is there. */
export function addQuery(url: URL, query: string | readonly Header[]): URL {
  const added = typeof query === 'string' ? query : new URLSearchParams(query.map(toPair));
  const extended = new URL(url);
  extended.search = [url.search.slice(1), String(added)].filter((part) => part !== '').join('&');
  return extended;
}

function toPair([name, value]: Header): [name: string, value: string] {
  return [name, value];
}

/** What decides how requests carry the secret of a scheme. */
type CarriedScheme = Pick<
  SecurityScheme,
  'type' | 'in' | 'httpScheme' | 'bodyScheme' | 'accessToken'
> & { readonly signature?: object };

/** Returns where requests carry the secret of a scheme; `undefined` if it has none, or the simulator cannot send it. */
export function secretPlaceOf({
  type,
  in: place,
  httpScheme,
  signature,
  bodyScheme,
}: CarriedScheme): SecretPlace | undefined {
  if ((signature ?? bodyScheme) !== undefined) return undefined;
  if (type === 'apiKey') return place;
  const isCarried = httpScheme === 'basic' || httpScheme === 'bearer';
  return type === 'http' && isCarried ? httpScheme : undefined;
}

/**
 * Returns whether deliveries carry the key of the options as the secret of a scheme. The credential, or one of the headers
 * of the options, is that of a key in a header, and an option of its own that of a path.
 */
export function carriesKey(scheme: CarriedScheme): boolean {
  const place = secretPlaceOf(scheme);
  const isSeparate = place === 'header' || place === 'path';
  return place !== undefined && !isSeparate && scheme.accessToken === undefined;
}

/** Returns the credential of a scheme among credentials by name. */
export function credentialOf(
  { credential }: Pick<SecurityScheme, 'credential'>,
  credentials: Readonly<Record<string, string>>,
): string | undefined {
  return credential !== undefined && Object.hasOwn(credentials, credential)
    ? credentials[credential]
    : undefined;
}

/** Returns the header or the parameter of the query with the secret of a scheme. */
export function carryCredential(
  scheme: CarriedScheme & Pick<SecurityScheme, 'parameterName'>,
  value: string | undefined,
): CarriedSecret {
  const { type, parameterName } = scheme;
  const place = secretPlaceOf(scheme);
  if (place === undefined || value === undefined) return {};
  if (type === 'apiKey' && parameterName === undefined) return {};
  return carrySecret(place, parameterName ?? '', value);
}

import type { Header } from './secret-places.ts';
import { readPointer } from './json-path.ts';
import type { Json, Label, Notification, Parameter } from 'countersign/kit';
import { isArray, isObject, membersOf, toText } from './json-object.ts';

/** A request of a delivery, without its proofs. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/**
 * Composes the request of a delivery.
 * @param url with the path of the label and the data of the query, if the delivery has them
 * @param headers beside those of the contract, which they replace
 */
export function composeRequest(
  { delivery }: Pick<Notification, 'delivery'>,
  url: URL,
  headers: readonly Header[],
  body: Uint8Array,
): UnsignedRequest {
  const { method, contentType = '', headers: fixed } = delivery;
  const byName = new Map<string, Header>();
  for (const header of [
    ['content-type', contentType],
    ...Object.entries(fixed),
    ...headers,
  ] as const)
    if (header[1] !== '') byName.set(header[0].toLowerCase(), header);
  return { method, url, headers: [...byName.values()], body };
}

/** A label with the pointers of its parameters. */
export interface SentLabel extends Pick<Label, 'path'> {
  readonly parameters: readonly Pick<Parameter, 'name' | 'inPayload' | 'identifying'>[];
}

/** Returns the query with the data of a notification, with its question mark; empty if the data is in the body. */
export function dataQuery(
  { encoding }: Pick<Notification, 'encoding'>,
  payload: Json | undefined,
): string {
  const query = encoding === 'query' && payload !== undefined ? encodeForm(payload) : '';
  return query === '' ? '' : `?${query}`;
}

/**
 * Returns the path of a notification's label.
 * @param payload where parameters with a pointer have their values
 * @param parameterValues values of parameters, instead of those in the payload
 */
export function labelPath(
  { label }: { readonly label?: SentLabel },
  payload: Json | undefined,
  parameterValues: Readonly<Record<string, string>> = {},
): string {
  const { path, parameters } = label ?? { path: '', parameters: [] };
  return path.replaceAll(/\{([^{}]+)\}/gu, (_, name: string) => {
    const { inPayload, identifying } =
      parameters.find((parameter) => parameter.name === name) ?? {};
    const payloadValue =
      inPayload === undefined || payload === undefined
        ? undefined
        : readPointer(payload, inPayload);
    const value = Object.hasOwn(parameterValues, name)
      ? parameterValues[name]
      : (payloadValue ?? identifying);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // A URL parser removes the segments `.` and `..`.
    return encodeURIComponent(
      (text === '' || text === '.' || text === '..' ? name : text).toWellFormed(),
    );
  });
}

/** Writes data as a form or a query: an array repeats its name, `null` is empty, and an object is JSON. */
export function encodeForm(value: Json): string {
  if (!isObject(value)) return '';
  const pairs = membersOf(value).flatMap(([name, member]) => {
    const values = isArray(member) ? member : [member];
    return values.map((element): [string, string] => [
      name,
      element === null ? '' : toText(element),
    ]);
  });
  return new URLSearchParams(pairs).toString();
}

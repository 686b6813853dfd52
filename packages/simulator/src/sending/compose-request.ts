import {
  deepObject,
  form,
  formText,
  jsonItems,
  pipeDelimited,
  spaceDelimited,
} from '@countersign/runtime/client';
import type { Header } from './secret-places.ts';
import { readPointer } from './json-path.ts';
import type { Json, Label, Notification, Parameter } from 'countersign/kit';
import { isArray, isObject, membersOf } from './json-object.ts';
import { SimulatorError } from './simulator-error.ts';

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
  { encoding, memberStyles }: Pick<Notification, 'encoding' | 'memberStyles'>,
  payload: Json | undefined,
): string {
  const query =
    encoding === 'query' && payload !== undefined ? encodeForm(payload, memberStyles) : '';
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

/**
 * Writes data as a form or a query, with the same text as generated clients: members in their styles; of others, an array
 * repeats its name, `null` is empty, and an object is JSON.
 * @throws SimulatorError `invalid-payload` for a value that its style cannot write, or that another one would have the text of
 */
export function encodeForm(
  value: Json,
  memberStyles: NonNullable<Notification['memberStyles']> = {},
): string {
  if (!isObject(value)) return '';
  const styles = Object.entries(memberStyles).flatMap(([name, { style, explode }]) => {
    const write = Object.hasOwn(writers, style)
      ? writers[style as keyof typeof writers]
      : undefined;
    // The names of an object's members replace that of an exploded one, and an array repeats it without a style.
    return write === undefined || (style === 'form' && explode && !isObject(value[name]))
      ? []
      : [[name, { style: write, ...(explode ? { explode } : {}) }] as const];
  });
  const members = membersOf(value).map(([name, member]) => [name, withoutNull(member)] as const);
  try {
    return formText(Object.fromEntries(members), Object.fromEntries(styles), jsonItems);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SimulatorError('invalid-payload', `The data ${error.message}.`);
  }
}

const writers = { form, spaceDelimited, pipeDelimited, deepObject } as const;

function withoutNull(member: Json): Json {
  if (member === null) return '';
  return isArray(member) ? member.map((element) => element ?? '') : member;
}

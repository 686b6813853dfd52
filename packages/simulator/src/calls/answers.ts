import { essenceOf, isJsonType } from '@countersign/runtime/base';
import type { SimulatorContext } from '../context.ts';
import type { Json } from 'countersign/kit';
import type { Random } from '../random.ts';
import type { ServedContent, ServedOperation, ServedResponse, Service } from '../service.ts';
import { chooseAccepted, formType } from '../media-type.ts';

/** A response before it is sent. */
export interface PreparedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  /** The value of the body; `undefined` without a body. */
  readonly value: Json | undefined;
  readonly bytes: Buffer;
}

/** The responses of an operation, as the contract declares them. */
export interface Answers {
  /** Returns the response of a successful call. */
  success(accept: string | undefined): PreparedAnswer;
  /** Returns the response of a status: the declared one, or one without a body. */
  forStatus(status: number, accept: string | undefined): PreparedAnswer;
  /** Returns the first of the statuses that the contract declares, exactly or by a range, or `undefined`. */
  declared(statuses: readonly number[]): number | undefined;
}

const empty = Buffer.alloc(0);

/** Compiles the responses of an operation. Examples are encoded once. */
export function compileAnswers(
  { name, responses }: ServedOperation,
  { random, description }: Pick<SimulatorContext, 'random' | 'description'>,
): Answers {
  // As for the client: beside other responses, `default` describes failures.
  const alone = responses.length === 1 && responses[0]?.status === 'default';
  const main =
    responses.find(({ status }) => status.startsWith('2') || (alone && status === 'default')) ??
    responses.find(({ status }) => status.startsWith('3'));
  const encode = compileEncoder();
  let count = 0;
  const prepare = (
    status: number,
    response: ServedResponse | undefined,
    accept: string | undefined,
  ): PreparedAnswer => {
    const { fixedHeaders: headers = {}, content = [] } = response ?? {};
    const bare = { status, headers, contentType: undefined, value: undefined, bytes: empty };
    if (isBodiless(status)) return bare;
    const media =
      (accept === undefined ? undefined : chooseAccepted(accept, content)) ?? content[0];
    if (media === undefined) return bare;
    const [example] = media.examples;
    count += 1;
    const value =
      example === undefined
        ? sampleOf(description, media, random.fork(`answer ${name} ${count}`))
        : example.value;
    if (value === undefined) return bare;
    const contentType = concreteType(media.mediaType, value);
    return { status, headers, contentType, value, bytes: encode(media, value, contentType) };
  };
  const find = (status: number): ServedResponse | undefined =>
    responses.find((response) => response.status === String(status)) ??
    responses.find(
      (response) => response.status.toUpperCase() === `${Math.floor(status / 100)}XX`,
    ) ??
    responses.find((response) => response.status === 'default' && (alone || status >= 400));
  return {
    success: (accept) => prepare(main === undefined ? 204 : toStatus(main.status), main, accept),
    forStatus: (status, accept) => prepare(status, find(status), accept),
    declared: (statuses) =>
      statuses.find((status) => responses.some((response) => response.status === String(status))) ??
      statuses.find((status) => {
        const response = find(status);
        // A response that also reports success describes no refusal.
        return response !== undefined && response !== main;
      }),
  };
}

/** Returns a body that is made from the schema; `undefined` if there is none. */
function sampleOf(
  { samples: { bodies } }: Pick<Service, 'samples'>,
  { schema = '' }: ServedContent,
  random: Random,
): Json | undefined {
  const values = (Object.hasOwn(bodies, schema) ? bodies[schema] : undefined) ?? [];
  return values.length === 0 ? undefined : random.pick(values);
}

/** Returns whether responses of a status have no body (RFC 9110, sections 6.4.1 and 15). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function toStatus(status: string): number {
  if (status === 'default') return 200;
  return /^\d{3}$/u.test(status) ? Number(status) : Number(status.charAt(0)) * 100;
}

/** Returns the media type of a response where the contract declares a range. */
export function concreteType(mediaType: string, value: Json): string {
  const essence = essenceOf(mediaType);
  if (!essence.includes('*')) return mediaType;
  const isText = essence.startsWith('text/');
  if (typeof value !== 'string') return isText ? 'text/json' : 'application/json';
  return isText || essence === '*/*' ? 'text/plain' : 'application/octet-stream';
}

/** Encodes the body of a response. */
export function encodeValue(value: Json, contentType: string): Buffer {
  const essence = essenceOf(contentType);
  if (isJsonType(essence)) return Buffer.from(JSON.stringify(value));
  if (typeof value === 'string') return Buffer.from(value);
  if (essence === formType && typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'object' ? JSON.stringify(member) : String(member),
    ]);
    return Buffer.from(new URLSearchParams(pairs).toString());
  }
  return Buffer.from(JSON.stringify(value));
}

/** Returns an encoder that encodes each value of the contract once. */
function compileEncoder(): (media: ServedContent, value: Json, contentType: string) => Buffer {
  const cache = new Map<ServedContent, Map<Json, Buffer>>();
  return (media, value, contentType) => {
    const values = cache.get(media) ?? new Map<Json, Buffer>();
    cache.set(media, values);
    const bytes =
      values.get(value) ??
      encodeValue(value, media.isBytes === true ? 'application/octet-stream' : contentType);
    values.set(value, bytes);
    return bytes;
  };
}

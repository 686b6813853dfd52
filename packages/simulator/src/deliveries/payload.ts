import type { SimulatorContext } from '../context.ts';
import { isExactNumber, keepsNumbers, toDoubles } from '../sending/exact-json.ts';
import { isArray, isObject, toText } from '../sending/json-object.ts';
import { mergeJson } from '../sending/json-path.ts';
import { isJsonContent } from '../media-type.ts';
import { encodeForm } from '../sending/compose-request.ts';
import type { Random } from '../random.ts';
import { maxViolations } from '../record.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification, Service, Violation } from '../service.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { TriggerOptions } from '../simulator.ts';

/** The content of a delivery. */
export interface Payload {
  readonly bytes: Uint8Array;
  /** The value that the bytes encode; absent where they are not JSON. */
  readonly value?: Json;
  /** The name of the example that it was made from. */
  readonly example?: string;
  /** Whether writing `value` would change numbers of the bytes, such as 1.10. */
  readonly hasOtherNumbers?: boolean;
  readonly violations: readonly Violation[];
}

/**
 * Makes the content of a delivery: the given bytes or payload, or else an example or a sample, with the given members.
 * A payload that only lacks a signature in it is valid.
 * @param toSigned returns a payload with the signatures in it
 * @throws SimulatorError `unknown-name` for an unknown example, `invalid-payload` for one that is not valid
 */
export function composePayload(
  context: SimulatorContext,
  notification: ServedNotification,
  options: TriggerOptions,
  random: Random,
  toSigned: (exact: Json) => Json,
): Payload {
  const { rawBody, allowInvalid = false } = options;
  const compose = (): Payload => {
    const [value, example] = chooseValue(context, notification, options, random);
    const unsigned = toExactPayload(context, notification, value, example);
    return unsigned.violations.length === 0
      ? unsigned
      : toExactPayload(context, notification, toSigned(value), example);
  };
  const payload = rawBody === undefined ? compose() : readRawBody(context, notification, rawBody);
  if (payload.violations.length > 0 && !allowInvalid)
    throw new SimulatorError(
      'invalid-payload',
      `The payload of ${notification.name} is not valid: ${describe(payload.violations)}. To send it anyway, allow invalid payloads (\`allowInvalid\`, \`--allow-invalid\`).`,
    );
  return payload;
}

/** Encodes a value in the media type of a notification, and validates it. */
export function toPayload(
  context: SimulatorContext,
  notification: ServedNotification,
  value: Json,
  example?: string,
): Payload {
  return {
    bytes: Buffer.from(encode(value, notification)),
    value,
    ...(example === undefined ? {} : { example }),
    violations: violationsOf(context, notification, value),
  };
}

/** Does the same with a value that can have numbers of `JSON.rawJSON`, which are encoded with all their digits. */
function toExactPayload(
  context: SimulatorContext,
  notification: ServedNotification,
  exact: Json,
  example?: string,
): Payload {
  const payload = toPayload(context, notification, toDoubles(exact), example);
  const bytes = Buffer.from(encode(exact, notification));
  return bytes.equals(payload.bytes) ? payload : { ...payload, bytes, hasOtherNumbers: true };
}

/** Returns what a value violates in every wire format of a notification. */
function violationsOf(
  { description }: SimulatorContext,
  { wire }: ServedNotification,
  value: Json,
): readonly Violation[] {
  const payloadCheck = description.checks.get(wire);
  return payloadCheck === undefined || payloadCheck.accepts(value)
    ? []
    : payloadCheck.violations(value).slice(0, maxViolations);
}

/** Returns the payload of given bytes. Bytes that are not JSON have a violation where the media type is JSON. */
export function readRawBody(
  context: SimulatorContext,
  notification: ServedNotification,
  rawBody: string | Uint8Array,
): Payload {
  const bytes = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody;
  if (!isJsonContent(notification.delivery.contentType ?? '')) return { bytes, violations: [] };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = JSON.parse(text) as Json;
    const violations = violationsOf(context, notification, value);
    return { bytes, value, violations, hasOtherNumbers: !keepsNumbers(text) };
  } catch {
    const violation = { pointer: '', keyword: 'type', message: 'must be JSON in UTF-8' };
    return { bytes, violations: [violation] };
  }
}

/** Returns the payloads of a notification that are made from its schema. */
export function samplesOf({ samples }: Pick<Service, 'samples'>, kind: string): readonly Json[] {
  return (Object.hasOwn(samples.payloads, kind) ? samples.payloads[kind] : undefined) ?? [];
}

function chooseValue(
  { description }: SimulatorContext,
  { name, examples }: ServedNotification,
  { example, sample = false, data, payload }: TriggerOptions,
  random: Random,
): readonly [value: Json, example?: string] {
  if (payload !== undefined) return [payload];
  const samples = samplesOf(description, name);
  const named = examples.find(({ name }) => name === example);
  if (example !== undefined && named === undefined)
    throw new SimulatorError(
      'unknown-name',
      `${name} has no example "${example}". ${listNames('examples', examples)}`,
    );
  const chosen = named ?? (sample ? undefined : examples[0]);
  if (chosen === undefined && samples.length === 0 && data === undefined)
    throw new SimulatorError(
      'invalid-payload',
      `The contract has no ${sample ? 'sample' : 'example'} of ${name}. Set \`payload\`.`,
    );
  const base = chosen?.value ?? (samples.length === 0 ? {} : random.pick(samples));
  const value = data === undefined ? base : mergeData(base, data);
  return chosen === undefined ? [value] : [value, chosen.name];
}

/** Merges members into a payload. Members of an object are merged into each element of an array. */
export function mergeData(base: Json, data: Json): Json {
  return isArray(base) && isObject(data) && !isExactNumber(data)
    ? base.map((element) => mergeJson(element, data))
    : mergeJson(base, data);
}

function encode(value: Json, { delivery, encoding, memberStyles }: ServedNotification): string {
  const { contentType = '' } = delivery;
  if (encoding === 'query') return '';
  if (/^application\/x-www-form-urlencoded\b/iu.test(contentType) && isObject(value))
    return encodeForm(value, memberStyles);
  return isJsonContent(contentType) ? JSON.stringify(value) : toText(value);
}

function describe(violations: readonly Violation[]): string {
  const shown = violations
    .slice(0, 5)
    .map(({ pointer, message }) => `${pointer === '' ? 'the payload' : pointer} ${message}`);
  const more = violations.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** Returns a sentence that lists names, as a hint after an unknown one. */
function listNames(what: string, named: readonly { readonly name: string }[]): string {
  const names = named.map(({ name }) => name).join(', ');
  return names === '' ? `There are no ${what}.` : `The ${what} are ${names}.`;
}

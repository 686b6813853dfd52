import type { SimulatorContext } from '../context.ts';
import { isArray, isObject } from '../sending/json-object.ts';
import { expandPath, type JsonPath, pathsOf, replaceAt, valueAt } from '../sending/json-path.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification } from '../service.ts';

/** Returns what is sent of a payload, with the signatures in it, or `undefined` for one that cannot have them. */
export type ToSent = (value: Json) => Json | undefined;

/** The number of random changes that are tried before a fault is given up. */
const maxTries = 24;

/** Returns the payload with a code that the contract does not list, or `undefined` if it has no member for one. */
export function withUnknownCode(
  context: SimulatorContext,
  notification: ServedNotification,
  value: Json,
  random: Random,
): Json | undefined {
  const places = notification.openCodes.flatMap(({ path, type }) =>
    expandPath(value, path).map((place) => ({ place, type })),
  );
  const usable = places.filter(({ place }) => {
    const code = valueAt(value, place);
    return typeof code === 'string' || typeof code === 'number';
  });
  if (usable.length === 0) return undefined;
  const { place, type } = random.pick(usable);
  // No contract lists such a code, and the schema has to accept it, for example a limited number of digits or letters.
  const codes: readonly Json[] =
    type === 'string'
      ? [`UNLISTED_${random.text(6).toUpperCase()}`, random.text(8), `X${random.integer(10, 99)}`]
      : [
          random.integer(900_000, 999_999),
          random.integer(90_000, 99_999),
          random.integer(900, 999),
        ];
  return codes
    .map((code) => replaceAt(value, place, code))
    .find((changed) => isAccepted(context, notification, changed));
}

/** Returns the payload with a property that the contract does not declare, or `undefined` if none is allowed. */
export function withUnknownProperty(
  context: SimulatorContext,
  notification: ServedNotification,
  value: Json,
  random: Random,
): Json | undefined {
  const name = `simulated${random.text(6)}`;
  return pathsOf(value)
    .filter((path) => isObject(valueAt(value, path)))
    .map((path) => replaceAt(value, [...path, name], random.text(8)))
    .find((changed) => isAccepted(context, notification, changed));
}

/**
 * Returns an invalid payload, or `undefined` if the schema accepts every value that is tried: an invalid example of the
 * contract, or the payload with a random change.
 */
export function withViolation(
  context: SimulatorContext,
  notification: ServedNotification,
  value: Json,
  random: Random,
  toSent: ToSent,
): Json | undefined {
  const examples = notification.invalidExamples.filter((example) =>
    isRefusedEverywhere(context, toSent(example.value)),
  );
  if (examples.length > 0 && random.fraction() < 0.5) return random.pick(examples).value;
  return breakAt(context, value, [], random, toSent) ?? examples[0]?.value;
}

/**
 * Returns the payload with one invalid element among at least three of an array of objects, or `undefined` if it has no
 * such array.
 */
export function withBadElement(
  context: SimulatorContext,
  value: Json,
  random: Random,
  toSent: ToSent,
): Json | undefined {
  const path = arrayIn(value);
  const elements = path === undefined ? undefined : valueAt(value, path);
  if (path === undefined || !isArray(elements)) return undefined;
  return breakAt(context, value, [...path, random.integer(0, elements.length - 1)], random, toSent);
}

/** Returns the payload with at least three elements in its array of objects, or unchanged if that is not valid. */
export function withMoreElements(
  context: SimulatorContext,
  notification: ServedNotification,
  value: Json,
): Json {
  const path = arrayIn(value);
  const elements = path === undefined ? undefined : valueAt(value, path);
  if (path === undefined || !isArray(elements) || elements.length >= 3) return value;
  const more = Array.from({ length: 3 }, (_, index) => elements[index % elements.length] ?? null);
  const changed = replaceAt(value, path, more);
  return isAccepted(context, notification, changed) ? changed : value;
}

/** Returns the path of the outermost array of objects in a payload that is not empty. */
export function arrayIn(value: Json): JsonPath | undefined {
  return pathsOf(value)
    .filter((path) => {
      const member = valueAt(value, path);
      return isArray(member) && member.length > 0 && member.every(isObject);
    })
    .toSorted((a, b) => a.length - b.length)[0];
}

/** Returns whether a value is valid in a wire format of the notification. */
export function isAccepted(
  { description }: SimulatorContext,
  { wire }: ServedNotification,
  value: Json,
): boolean {
  const payloadCheck = description.checks.get(wire);
  return payloadCheck?.accepts(value) ?? true;
}

/** Changes a random value at or below a path so that no notification of the contract accepts the result. */
function breakAt(
  context: SimulatorContext,
  value: Json,
  below: JsonPath,
  random: Random,
  toSent: ToSent,
): Json | undefined {
  const part = valueAt(value, below);
  if (part === undefined) return undefined;
  const paths = pathsOf(part, below).filter((path) => path.length > 0);
  for (let count = 0; count < maxTries && paths.length > 0; count += 1) {
    const path = random.pick(paths);
    const changed = replaceAt(value, path, random.pick(replacements(valueAt(value, path))));
    if (isRefusedEverywhere(context, toSent(changed))) return changed;
  }
  return undefined;
}

/** Returns values that a schema for a value probably refuses; `undefined` removes it. */
function replacements(value: Json | undefined): readonly (Json | undefined)[] {
  return [
    undefined,
    null,
    typeof value === 'string' ? 0 : 'simulated',
    [],
    typeof value !== 'boolean',
  ];
}

/**
 * Returns whether a value is sent and no notification accepts it: a receiver that identifies by content could handle it
 * otherwise.
 */
function isRefusedEverywhere(context: SimulatorContext, value: Json | undefined): boolean {
  if (value === undefined) return false;
  return !context.description.notifications.some((notification) =>
    isAccepted(context, notification, value),
  );
}

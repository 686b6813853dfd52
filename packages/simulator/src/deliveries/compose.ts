import type { SimulatorContext } from '../context.ts';
import { parseExactly, toDoubles } from '../sending/exact-json.ts';
import type { DeliveryFault, Faults } from '../faults.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification } from '../service.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { TriggerOptions } from '../simulator.ts';
import type { Header } from '../sending/secret-places.ts';
import type { Authenticator } from './authenticator.ts';
import { checkFaults, drawFaults } from './choose-faults.ts';
import {
  type Identities,
  type IdentifiedDelivery,
  identifiesEvent,
  identityOfDelivery,
  toOtherEvent,
} from './identity.ts';
import { dataQuery, labelPath } from '../sending/compose-request.ts';
import type { Outgoing } from './outgoing.ts';
import { composePayload, mergeData, type Payload, toPayload } from './payload.ts';
import {
  arrayIn,
  type ToSent,
  withBadElement,
  withMoreElements,
  withUnknownCode,
  withUnknownProperty,
  withViolation,
} from './spoil-payload.ts';

/** The content of a delivery, with what faults changed in it. */
export type Content = Pick<Outgoing, 'payload' | 'corrected' | 'path' | 'faults'>;

/**
 * Returns a notification of the contract.
 * @throws SimulatorError `unknown-name`
 */
export function findNotification(
  { description }: SimulatorContext,
  kind: string,
): ServedNotification {
  const matchingNotification = description.notifications.find(
    (notification) => notification.name === kind,
  );
  if (matchingNotification !== undefined) return matchingNotification;
  const kinds = description.notifications.map((notification) => notification.name).join(', ');
  throw new SimulatorError(
    'unknown-name',
    `The contract has no notification "${kind}". ${kinds === '' ? 'It has none.' : `The kinds are ${kinds}.`}`,
  );
}

/**
 * Composes what `trigger` sends, with its faults. An example or a sample is sent with another identity, if the event was
 * sent before; what the caller gives is sent as it is.
 * @param headers those of the delivery, beside those of the contract
 */
export function composeTriggered(
  context: SimulatorContext,
  authenticator: Authenticator,
  notification: ServedNotification,
  options: TriggerOptions,
  headers: readonly Header[],
  random: Random,
  identities: Identities,
): Content {
  const toSigned = (exact: Json): Json => sentValue(authenticator, notification, exact) ?? exact;
  const composed = composePayload(context, notification, options, random.fork('payload'), toSigned);
  const delivery = { notification, headers };
  const payload = asOtherEvent(context, delivery, composed, options, random, identities);
  const isFree =
    options.example === undefined && options.payload === undefined && options.rawBody === undefined;
  return applyFaults(context, authenticator, notification, payload, random, {
    ...(options.faults === undefined
      ? { rates: context.faults.current }
      : { chosen: options.faults }),
    parameters: options.parameters ?? {},
    mayReplace: isFree && options.data === undefined,
  });
}

function asOtherEvent(
  context: SimulatorContext,
  delivery: Pick<IdentifiedDelivery, 'notification' | 'headers'>,
  payload: Payload,
  { data, payload: payloadOption, rawBody, allowInvalid }: TriggerOptions,
  random: Random,
  identities: Identities,
): Payload {
  const { notification } = delivery;
  const { value, example, hasOtherNumbers = false } = payload;
  const isGiven = payloadOption !== undefined || rawBody !== undefined || allowInvalid === true;
  if (isGiven || value === undefined || hasOtherNumbers) return payload;
  if (!identities.has(identityOfDelivery(context, { ...delivery, value }))) return payload;
  if (data !== undefined && identifiesEvent(context, notification, data)) return payload;
  const other = toOtherEvent(context, delivery, value, random.fork('identity'), identities);
  // What the caller gives stays, also where it looks like an identifier.
  const sent = data === undefined ? other : toDoubles(mergeData(other, data));
  return toPayload(context, notification, sent, example);
}

/** How the faults of a delivery are chosen. */
export interface FaultChoice {
  /** The faults of this delivery. */
  readonly chosen?: TriggerOptions['faults'];
  /** The shares of faults, if none are chosen. */
  readonly rates?: Faults;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether another example may replace the payload. */
  readonly mayReplace: boolean;
}

/** Chooses the faults of a delivery and applies those that change its content. */
export function applyFaults(
  context: SimulatorContext,
  authenticator: Authenticator,
  notification: ServedNotification,
  payload: Payload,
  random: Random,
  { chosen, rates = {}, parameters, mayReplace }: FaultChoice,
): Content {
  const change = (fault: DeliveryFault): Content | undefined => {
    const content = changeContent(
      context,
      authenticator,
      notification,
      payload,
      fault,
      random.fork(fault),
      mayReplace,
    );
    return content === undefined
      ? undefined
      : { ...content, path: pathOf(context, notification, content, parameters), faults: [] };
  };
  const changes = new Map<DeliveryFault, Content | undefined>();
  const changed = (fault: DeliveryFault): Content | undefined => {
    if (!changes.has(fault)) changes.set(fault, change(fault));
    return changes.get(fault);
  };
  const applies = (fault: DeliveryFault): boolean => {
    switch (fault) {
      case 'wrong-signature':
      case 'stale-timestamp':
      case 'future-timestamp':
      case 'old-key':
      case 'no-certificate':
      case 'foreign-certificate':
      case 'expired-certificate':
        return authenticator.faultsOf(notification).includes(fault);
      case 'unknown-code':
      case 'unknown-property':
      case 'invalid-payload':
      case 'array-with-bad-element':
        return payload.violations.length === 0 && changed(fault) !== undefined;
      case 'burst':
        return payload.hasOtherNumbers !== true;
      case 'reset-mid-body':
      case 'slow-body':
        return payload.bytes.byteLength > 1;
      default:
        return true;
    }
  };
  const faults =
    chosen === undefined
      ? drawFaults(rates, random.fork('faults'), applies)
      : checkFaults(notification.name, chosen, applies);
  const contents = faults.filter((fault) => contentFaults.has(fault));
  const plain: Content = {
    payload,
    path: pathOf(context, notification, { payload }, parameters),
    faults,
  };
  const [first, second] = contents;
  if (first === undefined) return plain;
  const content = changed(first) ?? plain;
  if (second === undefined) return { ...content, faults };
  // A valid change comes first in the order of faults; the second fault spoils its result.
  const both = changeContent(
    context,
    authenticator,
    notification,
    content.payload,
    second,
    random.fork(second),
    false,
  );
  return both === undefined
    ? { ...content, faults: faults.filter((fault) => fault !== second) }
    : { ...both, path: pathOf(context, notification, both, parameters), faults };
}

const contentFaults: ReadonlySet<DeliveryFault> = new Set([
  'unknown-code',
  'unknown-property',
  'invalid-payload',
  'array-with-bad-element',
]);

/** Returns whether a fault belongs to the content, so that later attempts have it too. */
export function isLasting(fault: DeliveryFault): boolean {
  return fault === 'unknown-code' || fault === 'unknown-property';
}

function pathOf(
  { options }: SimulatorContext,
  notification: ServedNotification,
  { payload, corrected = payload }: Pick<Content, 'payload' | 'corrected'>,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const { value } = corrected;
  const path = options.appendLabel === false ? '' : labelPath(notification, value, parameters);
  return path + dataQuery(notification, value);
}

/**
 * Returns a payload with the signatures in its body, or `undefined` if it cannot have them. Its numbers keep their digits,
 * as those of `JSON.rawJSON`.
 */
function sentValue(
  authenticator: Authenticator,
  notification: ServedNotification,
  value: Json,
): Json | undefined {
  const bytes = Buffer.from(JSON.stringify(value));
  try {
    const signed = authenticator.signBody(notification, bytes);
    return signed === bytes ? value : parseExactly(new TextDecoder().decode(signed));
  } catch (error) {
    if (error instanceof SimulatorError) return undefined;
    throw error;
  }
}

/** Returns a payload with a fault, or `undefined` if the fault cannot apply. */
function changeContent(
  context: SimulatorContext,
  authenticator: Authenticator,
  notification: ServedNotification,
  payload: Payload,
  fault: DeliveryFault,
  random: Random,
  mayReplace: boolean,
): Pick<Content, 'payload' | 'corrected'> | undefined {
  const { value, example, hasOtherNumbers = false } = payload;
  // Writing the value again would round amounts.
  if (value === undefined || hasOtherNumbers) return undefined;
  const encode = (changed: Json, from = example): Payload =>
    toPayload(context, notification, changed, from);
  // What is not authentic would be refused for another reason than the fault.
  const toSent: ToSent = (changed) => {
    const sent = sentValue(authenticator, notification, changed);
    return sent === undefined || sent === changed ? sent : toDoubles(sent);
  };
  const toContent = (changed: Json | undefined): Pick<Content, 'payload'> | undefined =>
    changed === undefined || toSent(changed) === undefined
      ? undefined
      : { payload: encode(changed) };
  switch (fault) {
    case 'unknown-code':
      return toContent(withUnknownCode(context, notification, value, random));
    case 'unknown-property':
      return toContent(withUnknownProperty(context, notification, value, random));
    case 'invalid-payload': {
      const changed = withViolation(context, notification, value, random, toSent);
      return changed === undefined ? undefined : { payload: encode(changed), corrected: payload };
    }
    case 'array-with-bad-element': {
      const other = notification.examples.find(
        (candidate) => arrayIn(candidate.value) !== undefined,
      );
      const hasArray = arrayIn(value) !== undefined;
      if (!hasArray && (!mayReplace || other === undefined)) return undefined;
      const base = withMoreElements(
        context,
        notification,
        hasArray ? value : (other?.value ?? value),
      );
      const changed = withBadElement(context, base, random, toSent);
      const from = hasArray ? example : other?.name;
      return changed === undefined
        ? undefined
        : { payload: encode(changed, from), corrected: encode(base, from) };
    }
    default:
      return undefined;
  }
}

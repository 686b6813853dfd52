import type { SimulatorContext } from '../context.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { ServedNotification } from '../service.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { PlannedDelivery, PlanOptions } from '../simulator.ts';
import type { Authenticator } from './authenticator.ts';
import { burstSize } from './choose-faults.ts';
import { applyFaults, findNotification } from './compose.ts';
import { freshHeaders, Identities, identityOfDelivery, toOtherEvent } from './identity.ts';
import { samplesOf, toPayload } from './payload.ts';
import { isAccepted } from './spoil-payload.ts';

/**
 * Plans deliveries of all kinds and valid examples in turn, each with identifiers of its own. The list is in the order in which
 * they are sent: `out-of-order` swaps a delivery with the next one, `delayed` has a later offset, and the deliveries of
 * a burst have the same offset.
 * @throws SimulatorError `unknown-name`, `invalid-option`
 */
export function planDeliveries(
  context: SimulatorContext,
  authenticator: Authenticator,
  { count, kinds, faults = context.faults.current, intervalMs = 0 }: PlanOptions,
): readonly PlannedDelivery[] {
  if (
    !Number.isSafeInteger(count) ||
    count < 0 ||
    !(intervalMs >= 0) ||
    !Number.isFinite(intervalMs)
  )
    throw new SimulatorError(
      'invalid-option',
      '`count` must be an integer and `intervalMs` a number of milliseconds, both at least 0.',
    );
  const { description, random: seeded } = context;
  const random = seeded.fork('plan');
  const notifications = (kinds ?? description.notifications.map(({ name }) => name))
    .map((kind) => findNotification(context, kind))
    .filter(({ name, examples }) => examples.length > 0 || samplesOf(description, name).length > 0)
    .map((notification) => withValidPayloads(context, notification));
  if (notifications.length === 0)
    throw new SimulatorError('invalid-option', 'The contract has no payload for these kinds.');
  const planned: PlannedDelivery[] = [];
  const identities = new Identities();
  let offsetMs = 0;
  let inBurst = 0;
  for (let index = 0; index < count; index += 1) {
    const order = shuffle(
      notifications,
      seeded.fork(`plan order ${Math.floor(index / notifications.length)}`),
    );
    const notification = order[index % order.length];
    if (notification === undefined) break;
    if (inBurst === 0)
      offsetMs += intervalMs === 0 ? 0 : random.integer(0, Math.round(2 * intervalMs));
    const delivery = planOne(context, authenticator, notification, {
      number: index + 1,
      round: Math.floor(index / notifications.length),
      random: seeded.fork(`plan ${index + 1}`),
      faults,
      offsetMs,
      isInBurst: inBurst > 0,
      identities,
    });
    inBurst = inBurst > 0 ? inBurst - 1 : delivery.faults.includes('burst') ? burstSize - 1 : 0;
    planned.push(delivery);
  }
  return reorder(planned);
}

/** What is known about a delivery before its content is. */
interface Slot {
  readonly number: number;
  /** Counts the deliveries of each kind from 0. */
  readonly round: number;
  readonly random: Random;
  readonly faults: NonNullable<PlanOptions['faults']>;
  readonly offsetMs: number;
  /** The events of the plan so far. */
  readonly identities: Identities;
  /** Whether it belongs to a burst that has begun. */
  readonly isInBurst: boolean;
}

function planOne(
  context: SimulatorContext,
  authenticator: Authenticator,
  notification: ServedNotification,
  { number, round, random, faults, offsetMs, isInBurst, identities }: Slot,
): PlannedDelivery {
  const { value, name } = contentOf(context, notification, round);
  const id = `delivery-${String(number).padStart(6, '0')}`;
  const headers = freshHeaders(context, notification, id);
  const varied = toOtherEvent(
    context,
    { notification, headers },
    value,
    random.fork('identifiers'),
    identities,
  );
  const {
    payload,
    corrected,
    path,
    faults: drawn,
  } = applyFaults(
    context,
    authenticator,
    notification,
    toPayload(context, notification, varied, name),
    random,
    { rates: faults, mayReplace: true },
  );
  const kept = isInBurst
    ? ['burst' as const, ...drawn.filter((fault) => !timing.has(fault))]
    : drawn;
  const sent = corrected ?? payload;
  const isDuplicate = identities.add(
    identityOfDelivery(context, { notification, value: sent.value, headers }),
  );
  return {
    id,
    kind: notification.name,
    ...(payload.example === undefined ? {} : { example: payload.example }),
    isValid: payload.violations.length === 0,
    path,
    body: decode(payload.bytes),
    ...(corrected === undefined ? {} : { correctedBody: decode(corrected.bytes) }),
    faults: kept,
    ...(isDuplicate ? { isDuplicate: true as const } : {}),
    offsetMs:
      offsetMs + (kept.includes('delayed') ? random.fork('delay').integer(1_000, 30_000) : 0),
  };
}

/**
 * Leaves out examples that violate their own schema, which a receiver refuses: a plan has invalid deliveries where a
 * fault asks for them. Without any valid payload, nothing is left out.
 */
function withValidPayloads(
  context: SimulatorContext,
  notification: ServedNotification,
): ServedNotification {
  const { name, examples } = notification;
  const samples = samplesOf(context.description, name);
  const validExamples = examples.filter(({ value }) => isAccepted(context, notification, value));
  return validExamples.length === 0 && samples.length === 0
    ? notification
    : { ...notification, examples: validExamples };
}

const timing: ReadonlySet<string> = new Set(['delayed', 'out-of-order', 'burst']);

function contentOf(
  { description }: SimulatorContext,
  { name, examples }: ServedNotification,
  round: number,
): { readonly value: Json; readonly name?: string } {
  const samples = samplesOf(description, name);
  return (
    examples[round % Math.max(1, examples.length)] ?? {
      value: samples[round % samples.length] ?? null,
    }
  );
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Swaps each delivery that is out of order with the next one, and sorts by offset. */
function reorder(planned: readonly PlannedDelivery[]): readonly PlannedDelivery[] {
  const ordered = [...planned];
  for (let index = 0; index + 1 < ordered.length; index += 1) {
    const delivery = ordered[index];
    const next = ordered[index + 1];
    if (delivery === undefined || next === undefined || !delivery.faults.includes('out-of-order'))
      continue;
    ordered[index] = { ...next, offsetMs: delivery.offsetMs };
    ordered[index + 1] = { ...delivery, offsetMs: next.offsetMs };
    // The delivery that was swapped is not swapped again.
    index += 1;
  }
  return ordered.toSorted((a, b) => a.offsetMs - b.offsetMs);
}

function shuffle<T>(list: readonly T[], random: Random): readonly T[] {
  return list
    .map((element) => ({ element, rank: random.fraction() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ element }) => element);
}

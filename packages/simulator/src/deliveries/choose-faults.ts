import { type DeliveryFault, deliveryFaults, type FaultName, type Faults } from '../faults.ts';
import type { Random } from '../random.ts';
import { SimulatorError } from '../sending/simulator-error.ts';

/** The number of deliveries in a burst. */
export const burstSize = 10;

/** Groups of faults. A delivery has at most one fault of each group, because those of one group exclude each other. */
const groups: readonly (readonly DeliveryFault[])[] = [
  ['delayed', 'out-of-order', 'burst'],
  ['unknown-code', 'unknown-property'],
  [
    'duplicate',
    'lost-acknowledgement',
    'reset-mid-body',
    'slow-body',
    'wrong-signature',
    'stale-timestamp',
    'future-timestamp',
    'old-key',
    'invalid-payload',
    'array-with-bad-element',
  ],
  ['no-certificate', 'foreign-certificate', 'expired-certificate'],
];

/** The faults that a receiver refuses. Another attempt without the fault always follows. */
const refused: ReadonlySet<string> = new Set<DeliveryFault>([
  'wrong-signature',
  'stale-timestamp',
  'future-timestamp',
  'invalid-payload',
  'array-with-bad-element',
  'no-certificate',
  'foreign-certificate',
  'expired-certificate',
]);

/** Returns whether a receiver refuses a delivery with these faults. */
export function isRefused(faults: readonly string[]): boolean {
  return faults.some((fault) => refused.has(fault));
}

/**
 * Draws the faults of a delivery: at most one of each group. Where the shares of a group add up to more than 1, they are
 * reduced in proportion.
 * @param applies whether a fault can apply to the delivery
 * @returns the faults in the order of `deliveryFaults`
 */
export function drawFaults(
  faults: Faults,
  random: Random,
  applies: (fault: DeliveryFault) => boolean,
): readonly DeliveryFault[] {
  const drawn = groups.flatMap((group) => {
    const shares = group.map((fault) => [fault, chance(fault, faults[fault] ?? 0)] as const);
    const total = Math.max(
      1,
      shares.reduce((sum, [, share]) => sum + share, 0),
    );
    let rest = random.fraction() * total;
    for (const [fault, share] of shares) {
      if (rest < share) return applies(fault) ? [fault] : [];
      rest -= share;
    }
    return [];
  });
  return deliveryFaults.filter((fault) => drawn.includes(fault));
}

/** Returns the probability of a fault. A burst begins less often than its share, because it has several deliveries. */
function chance(fault: DeliveryFault, share: number): number {
  const limited = Math.min(Math.max(share, 0), 1);
  return fault === 'burst' ? limited / (burstSize - (burstSize - 1) * limited) : limited;
}

/**
 * Checks the faults that a caller chose for a delivery.
 * @throws SimulatorError `invalid-option`
 */
export function checkFaults(
  kind: string,
  faultNames: readonly FaultName[],
  applies: (fault: DeliveryFault) => boolean,
): readonly DeliveryFault[] {
  const chosen = deliveryFaults.filter((fault) => faultNames.includes(fault));
  const unknown = faultNames.find((fault) => !chosen.some((name) => name === fault));
  if (unknown !== undefined)
    throw new SimulatorError(
      'invalid-option',
      `"${unknown}" is not a fault of deliveries. The faults are ${deliveryFaults.join(', ')}.`,
    );
  for (const group of groups) {
    const [first, second] = group.filter((fault) => chosen.includes(fault));
    if (first !== undefined && second !== undefined)
      throw new SimulatorError(
        'invalid-option',
        `A delivery cannot have both ${first} and ${second}.`,
      );
  }
  const impossible = chosen.find((fault) => !applies(fault));
  if (impossible !== undefined)
    throw new SimulatorError(
      'invalid-option',
      `The fault ${impossible} cannot apply to this delivery of ${kind}.`,
    );
  return chosen;
}

import type { SimulatorContext } from '../context.ts';
import { deliveryFaults } from '../faults.ts';
import type { PlannedDelivery } from '../simulator.ts';
import { findNotification } from './compose.ts';
import { freshHeaders } from './identity.ts';
import type { Outgoing } from './outgoing.ts';
import { type Payload, readRawBody } from './payload.ts';

/**
 * Returns the delivery that a plan describes.
 * @throws SimulatorError `unknown-name`
 */
export function readPlanned(
  context: SimulatorContext,
  { id, kind, path, faults, example, body, correctedBody }: PlannedDelivery,
): Outgoing {
  const notification = findNotification(context, kind);
  const read = (text: string): Payload => ({
    ...readRawBody(context, notification, text),
    ...(example === undefined ? {} : { example }),
  });
  return {
    id,
    notification,
    path,
    headers: freshHeaders(context, notification, id),
    payload: read(body),
    ...(correctedBody === undefined ? {} : { corrected: read(correctedBody) }),
    faults: deliveryFaults.filter((fault) => faults.includes(fault)),
  };
}

/** The faults of deliveries that real providers have. */
export const deliveryFaults = [
  'duplicate',
  'out-of-order',
  'delayed',
  'lost-acknowledgement',
  'reset-mid-body',
  'slow-body',
  'wrong-signature',
  'stale-timestamp',
  'future-timestamp',
  'old-key',
  'unknown-code',
  'unknown-property',
  'invalid-payload',
  'array-with-bad-element',
  'burst',
  'no-certificate',
  'foreign-certificate',
  'expired-certificate',
] as const;

/** The faults of responses to calls. */
export const callFaults = ['error-503', 'reset-response', 'slow-response'] as const;

export type DeliveryFault = (typeof deliveryFaults)[number];
export type CallFault = (typeof callFaults)[number];
export type FaultName = DeliveryFault | CallFault;

/** The share of deliveries or calls that have a fault, from 0 to 1, by the fault's name. */
export type Faults = Readonly<Partial<Record<FaultName, number>>>;

/**
 * The types of the options of a receiver, each of which is a signature of the functions that create one. With a single
 * signature, `on` would be a union, and editors show no text of a member whose object has a type in several forms. A
 * handler in a function that returns the options gets the types of the first signature, so all give it the same.
 */
export const receiverForms = ['CompleteOptions', 'PartialOptions', 'WebhookOptions'] as const;

/** The types of the options of a consumer, for the same reason. */
export const consumerForms = [
  'CompleteConsumerOptions',
  'PartialConsumerOptions',
  'ConsumerOptions',
] as const;

/** The types of the options of a worker, for the same reason. */
export const workerForms = [
  'CompleteWorkerOptions',
  'PartialWorkerOptions',
  'WorkerOptions',
] as const;

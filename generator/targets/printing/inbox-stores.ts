// Where receivers store deliveries.

/** The stores of inboxes that the runtime has. */
export const inboxStores = ['sqlite', 'postgres'] as const;

export type InboxStoreName = (typeof inboxStores)[number];

/** Returns the stores of inboxes that options of the target `webhooks` ask for. */
export function inboxStoresOf(options: object | undefined): readonly InboxStoreName[] {
  const listed: unknown = options === undefined ? undefined : Reflect.get(options, 'inbox');
  return Array.isArray(listed) ? inboxStores.filter((store) => listed.includes(store)) : [];
}

/** The engines for which the runtime has an adapter. */
export const adapterEngines = ['sqs', 'rabbitmq'] as const;

export type AdapterEngine = (typeof adapterEngines)[number];

/** The engines that receivers can forward to; `other` is one for which the application writes `forward`. */
export const engines = ['sqs', 'rabbitmq', 'other'] as const;

export type EngineName = (typeof engines)[number];

/** Returns the engines that options of the target `webhooks` ask for. */
export function enginesOf(options: object | undefined): readonly EngineName[] {
  const listed: unknown = options === undefined ? undefined : Reflect.get(options, 'forward');
  return Array.isArray(listed) ? engines.filter((engine) => listed.includes(engine)) : [];
}

/** The stores of inboxes that the runtime has. */
export const inboxStores = ['sqlite', 'postgres'] as const;

export type InboxStoreName = (typeof inboxStores)[number];

/** Returns the stores of inboxes that options of the target `webhooks` ask for. */
export function inboxStoresOf(options: object | undefined): readonly InboxStoreName[] {
  const listed: unknown = options === undefined ? undefined : Reflect.get(options, 'inbox');
  return Array.isArray(listed) ? inboxStores.filter((store) => listed.includes(store)) : [];
}

/**
 * What to do with a number that no double represents exactly: `refuse` the response or the notification, which `onInvalid`
 * then gets, or return the number as `text`.
 */
export type NumberMode = 'refuse' | 'text';

import { randomBytes } from 'node:crypto';

/** Returns a new identifier of a receipt. It begins with the time, so that an index over identifiers grows at its end. */
export function createReceiptId(now: number): string {
  return now.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}

/** Returns the identifier of an event. */
export function eventId(receiptId: string, position: number): string {
  return `${receiptId}-${position}`;
}

/** Parses the identifier of an event. Returns undefined for other text. */
export function parseEventId(id: string): { receiptId: string; position: number } | undefined {
  const [, receiptId, position] = /^(.+)-(\d{1,9})$/s.exec(id) ?? [];
  if (receiptId === undefined) return undefined;
  return { receiptId, position: Number(position) };
}

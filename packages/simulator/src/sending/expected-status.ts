import type { Notification } from 'countersign/kit';

/**
 * Returns the success statuses that the contract states for a notification, if the status of an acknowledgement is another
 * one; `undefined` for any other response.
 */
export function statusesInstead(
  { delivery: { statuses } }: Pick<Notification, 'delivery'>,
  status: number | undefined,
): readonly string[] | undefined {
  if (statuses === undefined || status === undefined || status < 200 || status >= 300)
    return undefined;
  return statuses.includes(String(status)) || statuses.includes('2XX') ? undefined : statuses;
}

import type { Catalogue } from './catalogue.ts';
import { invalid } from './webhook-error.ts';

/** What tells a receiver from the others that use its replay store or its inbox. */
export interface ReceiverNames {
  /**
   * Names the receiver in the keys of its replay store or inbox: equal events of receivers with different names are
   * different. Default: the name of the generated package and the title of the contract, as `receiverName` has it. Set it
   * to that default before one of the two changes, or deliveries from before the change are handled again.
   */
  readonly name?: string | undefined;
  /**
   * Names the tenant whose deliveries the receiver gets, where receivers of one contract share a replay store or an inbox:
   * each tenant needs another one. Default: none.
   */
  readonly tenant?: string | undefined;
}

/**
 * Returns the name that begins every key of a receiver.
 * @throws WebhookError `invalid-option` for a name or a tenant that is empty, or that could end at another place
 */
export function nameOfReceiver(
  catalogue: Pick<Catalogue, 'name'>,
  { name = catalogue.name, tenant }: ReceiverNames,
): string {
  assertPart('name', name);
  if (name.includes('#')) throw invalid('`name` must be a text without `#`');
  if (tenant === undefined) return name;
  assertPart('tenant', tenant);
  return `${name}#${tenant}`;
}

/** Asserts that a part has an end: two different pairs of a name and a key never make one text. */
function assertPart(option: keyof ReceiverNames, value: unknown): void {
  // Also what JavaScript writes for a tenant that is not set, which all tenants would have.
  const isUnset = value === 'undefined' || value === 'null' || value === '[object Object]';
  if (typeof value !== 'string' || isUnset || !/^[^\s\p{C}]{1,200}$/u.test(value))
    throw invalid(
      `\`${option}\` must be a text of 1 to 200 characters, without spaces and control characters`,
    );
}

/** Returns the key of a receiver: its name, which has no space, and the key of the event. */
export function keyOfReceiver(receiver: string, key: string): string {
  return `${receiver} ${key}`;
}

/**
 * The header under which a receiver stores its name in an inbox, for the worker that identifies the delivery again. No
 * sender can write it: it is not the name of a header.
 */
export const receiverHeader = ':receiver';

import type { Contract } from '../contract/contract.ts';

/**
 * Returns the targets that generate code for what a contract has: a client for calls, a receiver for notifications.
 * @param receiver the target of a framework, which is added to the receiver
 */
export function targetsFor(
  { operations, notifications }: Pick<Contract, 'operations' | 'notifications'>,
  receiver: string = 'webhooks',
): readonly string[] {
  return [
    'contract',
    ...(operations.length > 0 ? ['client'] : []),
    ...(notifications.length > 0 ? new Set(['webhooks', receiver]) : []),
  ];
}

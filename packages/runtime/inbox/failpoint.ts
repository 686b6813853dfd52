import { channel, type Channel } from 'node:diagnostics_channel';

/**
 * A place where the end of the process has the most consequences.
 *
 * - `receive:before-commit`: the rows of a receipt are written; the transaction is open.
 * - `receive:before-acknowledgement`: the receipt is committed; the caller does not know it yet.
 * - `handle:in-transaction`: the effect of a handler is written; the transaction is open.
 * - `handle:before-completion`: the handler has returned; its event is not completed yet.
 * - `handle:after-completion`: the completion is committed; the worker does not know it yet.
 */
export type Failpoint =
  | 'receive:before-commit'
  | 'receive:before-acknowledgement'
  | 'handle:in-transaction'
  | 'handle:before-completion'
  | 'handle:after-completion';

const channels: Readonly<Record<Failpoint, Channel>> = {
  'receive:before-commit': channel('countersign:inbox:receive:before-commit'),
  'receive:before-acknowledgement': channel('countersign:inbox:receive:before-acknowledgement'),
  'handle:in-transaction': channel('countersign:inbox:handle:in-transaction'),
  'handle:before-completion': channel('countersign:inbox:handle:before-completion'),
  'handle:after-completion': channel('countersign:inbox:handle:after-completion'),
};

/** Publishes on `node:diagnostics_channel` that a failpoint is passed. Tests subscribe and kill the process. */
export function passFailpoint(name: Failpoint): void {
  const passed = channels[name];
  if (passed.hasSubscribers) passed.publish({ name });
}

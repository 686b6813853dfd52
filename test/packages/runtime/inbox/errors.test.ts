import { InboxError as OtherInboxError } from '@instant-payment/runtime/inbox';
import { expect, it } from 'vitest';
import { InboxError, isInboxError } from '../../../../packages/runtime/inbox/errors.ts';

it('an error of another copy of the runtime is that of an inbox', () => {
  const other = new OtherInboxError('store-failed', 'The store failed.');
  expect(other).not.toBeInstanceOf(InboxError);
  expect(isInboxError(other)).toBe(true);
  expect(isInboxError(new InboxError('closed', 'The inbox is closed.'))).toBe(true);
});

it.each([
  new Error('InboxError'),
  Object.assign(new Error('A name alone.'), { name: 'InboxError' }),
  Object.assign(new Error('Another name.'), { code: 'store-failed' }),
  { name: 'InboxError', code: 'store-failed', message: 'No error.' },
  undefined,
])('something else is not: %s', (error) => {
  expect(isInboxError(error)).toBe(false);
});

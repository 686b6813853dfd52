import { expect, test } from 'vitest';
import { receiverNameOf } from '../../../generator/targets/webhooks/receiver-name.ts';
import { nameOfReceiver } from '../../../packages/runtime/webhooks/receiver.ts';
import { readAsyncapi } from '../client/emit-client.ts';

/** Returns the name of the receivers of a contract. */
async function nameOf(info: object, scope: string, packageNames = {}): Promise<string> {
  const contract = await readAsyncapi({
    asyncapi: '3.1.0',
    info: { version: '1.0.0', 'x-countersign': 1, ...info },
    channels: {},
    operations: {},
  });
  return receiverNameOf(contract, { scope, packageNames });
}

test('contracts with another title or another package have other names', async () => {
  const names = await Promise.all([
    nameOf({ title: 'Shop' }, '@acme'),
    nameOf({ title: 'Bank' }, '@acme'),
    nameOf({ title: 'Shop' }, '@other'),
    nameOf({ title: 'Shop' }, '@acme', { webhooks: '@acme/shop-webhooks' }),
  ]);
  expect(names).toEqual([
    '@acme/webhooks:shop',
    '@acme/webhooks:bank',
    '@other/webhooks:shop',
    '@acme/shop-webhooks:shop',
  ]);
});

test('all versions of a contract have one name', async () => {
  const names = await Promise.all([
    nameOf({ title: 'Shop', version: '1.0.0' }, '@acme'),
    nameOf({ title: 'Shop', version: '2.0.0', description: 'New.' }, '@acme'),
    nameOf({ title: ' Shop! ' }, '@acme'),
  ]);
  expect(new Set(names).size).toBe(1);
});

test.each([
  ['symbols', 'C++', 'C#', '@acme'],
  ['only symbols', '★', '☆', '@acme'],
  ['the end of a long title', `${'x'.repeat(60)}a`, `${'x'.repeat(60)}b`, '@acme'],
])('contracts whose titles differ in %s have other names', async (_, first, second, scope) => {
  expect(await nameOf({ title: first }, scope)).not.toBe(await nameOf({ title: second }, scope));
});

test('packages whose names differ at their end have other names', async () => {
  const names = await Promise.all(
    ['a', 'b'].map(async (end) => {
      const webhooks = `@acme/${'x'.repeat(150)}${end}`;
      return await nameOf({ title: 'Shop' }, '@acme', { webhooks });
    }),
  );
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(nameOfReceiver({ name }, { tenant: 'a' })).toBe(`${name}#a`);
});

test.each([
  ['Loja de câmbio №1', '@acme/webhooks:loja-de-câmbio-no1'],
  ['銀行の通知', '@acme/webhooks:銀行の通知'],
  ['#', expect.stringMatching(/^@acme\/webhooks~[\da-f]{8}$/u) as string],
  ["'; process.exit() //", '@acme/webhooks:process-exit'],
  ['x '.repeat(1000), expect.stringContaining(`@acme/webhooks:${'x-'.repeat(30)}~`) as string],
  [
    `${'x'.repeat(59)}\u{20000}`,
    expect.stringContaining(`@acme/webhooks:${'x'.repeat(59)}\ufffd~`) as string,
  ],
])('receivers accept the name of the title %j', async (title, expected) => {
  const name = await nameOf({ title }, '@acme');
  expect(name).toEqual(expected);
  expect(nameOfReceiver({ name }, { tenant: 'a' })).toBe(`${name}#a`);
});

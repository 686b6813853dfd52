import { expect, it } from 'vitest';
import { readReceiver } from '../../../../packages/simulator/src/sending/receiver.ts';
import type { Address } from '../../../../packages/simulator/src/sending/loopback.ts';

const here: Address = { address: '127.0.0.1', family: 4 };

it('resolves its host until it has an address, and then never again', async () => {
  const answers = [[], [], [here], [{ address: '203.0.113.7', family: 4 }]] as const;
  let count = 0;
  const receiver = readReceiver('http://receiver.example/', false, async () => {
    const addresses = answers[count] ?? [];
    count += 1;
    return await Promise.resolve(addresses);
  });
  await expect(receiver.address()).rejects.toMatchObject({ code: 'unknown-host' });
  await expect(receiver.address()).rejects.toMatchObject({ code: 'unknown-host' });
  expect(await receiver.address()).toEqual(here);
  expect(await receiver.address()).toEqual(here);
  expect(count).toBe(3);
});

it('refuses a name of another machine', async () => {
  const remote: Address = { address: '203.0.113.7', family: 4 };
  const resolve = async (): Promise<readonly Address[]> => await Promise.resolve([here, remote]);
  await expect(
    readReceiver('http://receiver.example/', false, resolve).address(),
  ).rejects.toMatchObject({ code: 'not-loopback' });
  expect(await readReceiver('http://receiver.example/', true, resolve).address()).toEqual(here);
});

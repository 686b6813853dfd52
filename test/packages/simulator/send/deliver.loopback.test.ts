import type { Address, Resolve } from '../../../../packages/simulator/src/sending/loopback.ts';
import { describe, expect, it } from 'vitest';
import type { CommandError } from '../../../../generator/tools/command-error.ts';
import { chooseAddress } from '../../../../packages/simulator/src/send/deliver.ts';

const v4 = (address: string): Address => ({ address, family: 4 });
const v6 = (address: string): Address => ({ address, family: 6 });

/** What the names of the tests resolve to; others have no address. */
const names: Readonly<Record<string, readonly Address[]>> = {
  localhost: [v6('::1'), v4('127.0.0.1')],
  'app.test': [v4('127.0.0.1')],
  '127.0.0.1.nip.io': [v4('127.0.0.1')],
  'localhost.evil.com': [v4('203.0.113.7')],
  '127.0.0.1.evil.com': [v4('203.0.113.7')],
  'both.evil.com': [v4('127.0.0.1'), v4('203.0.113.7')],
  'mapped.evil.com': [v6('::ffff:203.0.113.7')],
  'private.test': [v4('192.168.1.10')],
  'everywhere.test': [v4('0.0.0.0')],
  'nothing.test': [],
};

const resolve: Resolve = async (host) => {
  const addresses = names[host];
  if (addresses === undefined) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
  return await Promise.resolve(addresses);
};

async function decide(url: string, allowsRemote = false): Promise<string> {
  try {
    return (await chooseAddress(new URL(url), allowsRemote, resolve)).address;
  } catch (error) {
    return (error as CommandError).code;
  }
}

describe('where a delivery may go', () => {
  it.each([
    ['http://127.0.0.1:3000/', '127.0.0.1'],
    ['http://127.8.9.10/', '127.8.9.10'],
    ['http://127.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.0.0.1/', '127.0.0.1'],
    ['http://[::1]:3000/', '::1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://localhost:3000/', '::1'],
    ['http://LOCALHOST/', '::1'],
    ['http://app.test/', '127.0.0.1'],
    // A foreign name that resolves to the loopback: requests stay on this machine, whatever it resolves to later.
    ['http://127.0.0.1.nip.io/', '127.0.0.1'],
  ])('is this machine: %s', async (url, address) => {
    expect(await decide(url)).toBe(address);
  });

  it.each([
    ['http://localhost.evil.com/', 'not-loopback'],
    ['http://127.0.0.1.evil.com/', 'not-loopback'],
    ['http://both.evil.com/', 'not-loopback'],
    ['http://mapped.evil.com/', 'not-loopback'],
    ['http://private.test/', 'not-loopback'],
    ['http://everywhere.test/', 'not-loopback'],
    ['http://0.0.0.0:3000/', 'not-loopback'],
    ['http://0/', 'not-loopback'],
    ['http://[::]/', 'not-loopback'],
    ['http://10.0.0.1/', 'not-loopback'],
    ['http://169.254.169.254/', 'not-loopback'],
    ['http://[fe80::1]/', 'not-loopback'],
    ['http://203.0.113.7/', 'not-loopback'],
    ['http://nothing.test/', 'unknown-host'],
    ['http://unheard-of.test/', 'unknown-host'],
  ])('is not elsewhere: %s', async (url, code) => {
    expect(await decide(url)).toBe(code);
  });

  it.each([
    ['http://localhost.evil.com/', '203.0.113.7'],
    ['http://both.evil.com/', '127.0.0.1'],
    ['http://0.0.0.0/', '0.0.0.0'],
    ['http://[2001:db8::1]/', '2001:db8::1'],
  ])('is anywhere where that is allowed: %s', async (url, address) => {
    expect(await decide(url, true)).toBe(address);
  });

  it('is distinguished by address: the message names both, and what to do', async () => {
    const refused = chooseAddress(new URL('http://localhost.evil.com/'), false, resolve);
    await expect(refused).rejects.toThrow(
      'localhost.evil.com (203.0.113.7) is not (only) this machine. To send there, pass --allow-remote.',
    );
    const everywhere = chooseAddress(new URL('http://0.0.0.0:3000/'), false, resolve);
    await expect(everywhere).rejects.toThrow('use 127.0.0.1 or [::1]');
  });
});

it('names the option where a name of another machine has no address, as it does offline', async () => {
  const messageOf = async (allowsRemote: boolean): Promise<string> =>
    await chooseAddress(new URL('https://example.com/'), allowsRemote, resolve).then(
      () => '',
      (error: unknown) => (error as CommandError).message,
    );
  expect(await messageOf(false)).toBe(
    'example.com has no address. Only hosts of this machine are allowed. To send there, pass --allow-remote.',
  );
  expect(await messageOf(true)).toBe('example.com has no address.');
});

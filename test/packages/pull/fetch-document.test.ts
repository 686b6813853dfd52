import { describe, expect, test } from 'vitest';
import { createFetchDocument, type LookupAll } from '../../../packages/pull/src/fetch-document.ts';
import { serveDocuments } from './document-server.ts';

const defaults = {
  allowPrivate: false,
  headers: new Map<string, Record<string, string>>(),
  timeoutMs: 5000,
  totalTimeoutMs: 10_000,
  environment: {},
};

/** Resolves each name to the next of several lists of addresses. */
function toLookup(...answers: readonly (readonly string[])[]): LookupAll & { calls: number } {
  const lookup = (_: string, done: Parameters<LookupAll>[1]): void => {
    const addresses = answers[lookup.calls++] ?? [];
    const error = addresses.length === 0 ? new Error('ENOTFOUND') : null;
    setImmediate(() => {
      done(
        error,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    });
  };
  lookup.calls = 0;
  return lookup;
}

describe('a name', () => {
  test.each([
    [['127.0.0.1'], '127.0.0.1'],
    [['8.8.8.8', '10.0.0.1'], '10.0.0.1'],
    [['::ffff:169.254.169.254'], '::ffff:169.254.169.254'],
    [['2606:4700:4700::1111', 'fd00::1'], 'fd00::1'],
  ])('that resolves to %j is refused', async (addresses, localAddress) => {
    const lookup = toLookup(addresses);
    const fetchDocument = createFetchDocument({ ...defaults, lookup });
    await expect(fetchDocument(new URL('https://contract.example/x'), 1000)).rejects.toThrow(
      `leads to ${localAddress}, which is not an address of the internet`,
    );
    expect(lookup.calls).toBe(1);
  });

  test('is resolved once for a connection, which is to the address that was checked', async () => {
    await using server = await serveDocuments({ '/x': 'a: 1' });
    // The second answer would be that of a name that was bound to another address in between.
    const lookup = toLookup(['127.0.0.1'], ['127.0.0.2']);
    const fetchDocument = createFetchDocument({ ...defaults, allowPrivate: true, lookup });
    const { bytes } = await fetchDocument(new URL(`http://contract.example:${server.port}/x`), 9);
    expect(bytes.toString()).toBe('a: 1');
    expect(lookup.calls).toBe(1);
    expect(server.requests[0]?.headers.host).toBe(`contract.example:${server.port}`);
  });

  test('that has no address is an error', async () => {
    const fetchDocument = createFetchDocument({ ...defaults, lookup: toLookup() });
    await expect(fetchDocument(new URL('https://contract.example/x'), 9)).rejects.toThrow(
      'https://contract.example/x cannot be fetched',
    );
  });
});

test('a redirect is checked as the first address is', async () => {
  await using server = await serveDocuments({
    '/name': (response) =>
      void response.writeHead(307, { location: 'https://user:pw@[::1]:1/x?token=hidden' }).end(),
  });
  const lookup = toLookup(['127.0.0.1']);
  const fetchDocument = createFetchDocument({ ...defaults, allowPrivate: true, lookup });
  const failure = fetchDocument(new URL(`http://contract.example:${server.port}/name`), 9);
  await expect(failure).rejects.toThrow('https://[::1]:1/x cannot be fetched');
  await expect(failure).rejects.not.toThrow(/hidden|pw/u);
});

test('the number of bytes is limited while they arrive', async () => {
  await using server = await serveDocuments({
    '/x': (response) => {
      // It never ends: only the limit does.
      response.on('drain', () => response.write('x'.repeat(65_536)));
      response.write('x'.repeat(65_536));
    },
  });
  const fetchDocument = createFetchDocument({ ...defaults, allowPrivate: true });
  await expect(fetchDocument(new URL(`${server.origin}/x`), 100_000)).rejects.toThrow(
    'has more than 100000 bytes',
  );
});

test('all documents together have a time limit', async () => {
  await using server = await serveDocuments({ '/x': 'a: 1', '/slow': () => undefined });
  const fetchDocument = createFetchDocument({
    ...defaults,
    allowPrivate: true,
    totalTimeoutMs: 200,
  });
  await fetchDocument(new URL(`${server.origin}/x`), 9);
  await expect(fetchDocument(new URL(`${server.origin}/slow`), 9)).rejects.toThrow(
    'was not received in time',
  );
});

test('a proxy of the environment is used if private addresses are allowed', async () => {
  const proxied: string[] = [];
  await using proxy = await serveDocuments({
    'http://contract.example/x': (response) => {
      proxied.push('x');
      response.end('a: 1');
    },
  });
  const fetchDocument = createFetchDocument({
    ...defaults,
    allowPrivate: true,
    environment: { NODE_USE_ENV_PROXY: '1', http_proxy: proxy.origin },
  });
  const { bytes } = await fetchDocument(new URL('http://contract.example/x'), 9);
  expect(bytes.toString()).toBe('a: 1');
  expect(proxied).toEqual(['x']);
});

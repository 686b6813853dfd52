import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toFetchHandler } from '../../../../packages/runtime/webhooks/fetch.ts';
import { createBareReceiver } from './bare-receiver.ts';

/** A request whose body comes in chunks, and whose `content-length` says what the test wants. */
function post(contentLength: string | undefined, chunks: Iterator<string>): Request {
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
  const init = { method: 'POST', body, duplex: 'half' };
  const request = new Request('http://127.0.0.1/', init);
  if (contentLength !== undefined) request.headers.set('content-length', contentLength);
  return request;
}

describe('a handler of fetch counts the bytes that come', () => {
  const chunks = ['{"a":', '"123456', '7890"}'];

  test.each([undefined, '1', '5', '18', '20', '-3', 'NaN', '0x5', '1e1', ''])(
    'whatever the content-length of a whole body says (%s)',
    async (length) => {
      const { receive, bodies } = createBareReceiver({ maxBodyBytes: 20 });
      const { status } = await toFetchHandler(receive)(post(length, chunks.values()));
      expect([status, bodies]).toEqual([200, [chunks.join('')]]);
    },
  );

  test.each([undefined, '1', '10', 'NaN', ''])(
    'and stops at the limit, whatever the content-length says (%s)',
    async (length) => {
      let chunkCount = 0;
      const endless = (function* () {
        for (; chunkCount < 1000; chunkCount++) yield '1234567890';
      })();
      const { receive, bodies } = createBareReceiver({ maxBodyBytes: 20 });
      const { status } = await toFetchHandler(receive)(post(length, endless));
      expect([status, bodies]).toEqual([413, []]);
      expect(chunkCount).toBeLessThan(10);
    },
  );
});

test.each([
  ['of 16 KB and less are read by the server', 'content-length', '18', 1],
  ['of more are streamed', 'content-length', '16385', 0],
  ['over the limit are not read', 'content-length', '20001', 0],
  ['of unknown length are streamed', 'accept', '*/*', 0],
])('where a server has a function of its own for it, bodies %s', async (_, name, value, calls) => {
  let called = 0;
  class ServerRequest extends Request {
    override async arrayBuffer(): Promise<ArrayBuffer> {
      called += 1;
      return await super.arrayBuffer();
    }
  }
  const request = new ServerRequest(post(undefined, ['{"a":"1234567890"}'].values()));
  request.headers.set(name, value);
  const { receive, bodies } = createBareReceiver({ maxBodyBytes: 20_000 });
  const { status } = await toFetchHandler(receive)(request);
  expect(called).toBe(calls);
  expect([status, bodies]).toEqual(value === '20001' ? [413, []] : [200, ['{"a":"1234567890"}']]);
});

describe('behind an adapter that a bundler gave a copy of the package of its own', () => {
  let folder = '';
  let copy: { readonly toFetchHandler: typeof toFetchHandler };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-copy-'));
    const runtime = new URL('../../../../packages/runtime/', import.meta.url);
    await cp(fileURLToPath(runtime), folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    copy = (await import(pathToFileURL(join(folder, 'webhooks/fetch.ts')).href)) as typeof copy;
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function receiveThroughCopy(request: Request): Promise<readonly [number, string]> {
    expect(copy.toFetchHandler).not.toBe(toFetchHandler);
    const { receive, records } = createBareReceiver({ maxBodyBytes: 20 });
    const { status } = await copy.toFetchHandler(receive)(request);
    return [status, records[0]?.reason ?? ''];
  }

  test('a body above the limit, of unknown length, is answered with 413', async () => {
    const request = post(undefined, ['1234567890', '1234567890', '1'].values());
    expect(await receiveThroughCopy(request)).toEqual([413, 'too-large']);
  });

  test('a body that other code has read is answered with 500, and the warning states the fix', async () => {
    const warnings: string[] = [];
    const listen = ({ message, detail = '' }: Error & { readonly detail?: string }): void =>
      void warnings.push(`${message} ${detail}`);
    process.on('warning', listen);
    try {
      const request = post(undefined, ['{}'].values());
      await request.text();
      expect(await receiveThroughCopy(request)).toEqual([500, 'body-consumed']);
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings.join('\n')).toContain('pass request.clone()');
    } finally {
      process.off('warning', listen);
    }
  });

  test('an error of other code that only has the name of ours is an unreadable body', async () => {
    const error = Object.assign(new Error('secret'), { name: 'WebhookError', code: 'too-large' });
    const { receive } = createBareReceiver();
    const read = (): never => {
      throw error;
    };
    const request = { method: 'POST', target: '/', headers: () => [], read };
    expect(await receive(request)).toMatchObject({ status: 400 });
  });
});

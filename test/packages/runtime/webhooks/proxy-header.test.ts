import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { proxyHeader } from '../../../../packages/runtime/webhooks/client-certificate.ts';
import { repository } from '../../../targets/emit-project.ts';
import { withoutNode } from '../without-node.ts';

test('a platform that knows no addresses refuses those of proxies', () => {
  const create = () =>
    proxyHeader({
      header: 'Client-Cert',
      trust: 'proxy-replaces-header',
      proxies: ['127.0.0.1'],
    });
  expect(create).not.toThrow();
  expect(() => withoutNode(create)).toThrow(
    expect.objectContaining({
      code: 'invalid-option',
      message: expect.stringContaining('this platform does not provide the address') as string,
    }),
  );
});

test('a bundle that reads certificates imports no module of a platform', async () => {
  const contents = `export * from './packages/runtime/webhooks/client-certificate.ts';`;
  const { metafile } = await build({
    stdin: { contents, resolveDir: repository, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
  });
  const [output] = Object.values(metafile.outputs);
  expect(output?.imports).toEqual([]);
});

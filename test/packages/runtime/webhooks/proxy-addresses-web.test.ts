import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { createProxyTest } from '../../../../packages/runtime/webhooks/proxy-addresses-web.ts';
import { repository } from '../../../targets/emit-project.ts';

test('a platform that knows no addresses refuses those of proxies', () => {
  expect(() => createProxyTest(['127.0.0.1'])).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  );
});

test('a bundle for Workers that reads certificates has nothing of Node', async () => {
  const contents = `export * from './packages/runtime/webhooks/client-certificate.ts';`;
  const { metafile } = await build({
    stdin: { contents, resolveDir: repository, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'countersign-source'],
  });
  const files = Object.keys(metafile.inputs);
  expect(files.some((path) => path.endsWith('proxy-addresses-web.ts'))).toBe(true);
  expect(files.filter((path) => /-node\.ts$|^node:/u.test(path))).toEqual([]);
});

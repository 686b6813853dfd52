import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { expectRecorded } from '../../figures/expect-recorded.ts';
import { foldersOf } from '../../figures/folders-of.ts';
import { readContract } from '../client/emit-client.ts';
import { generateWebhooks } from './emit-webhooks.ts';

test.each([
  ['secret', "sharedSecret({ header: 'x-secret' }, 'secret')"],
  ['signature', "verifySignature({ keys: ['key'], headers: { apikey: 'key' } })"],
])(
  'a bundle for Workers that verifies a %s has the recorded size, and imports no module of Node',
  async (name, authenticate) => {
    await using generated = await generateWebhooks(
      await readContract({ openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' }),
    );
    const contents = `import { createWebhooks, sharedSecret, verifySignature } from '@trade/webhooks';
      export default createWebhooks({
        authenticate: ${authenticate},
        on: {}, otherwise: { rest() {} }, onInvalid() {},
      });`;
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: generated.project, loader: 'js' },
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      target: 'es2024',
      platform: 'browser',
      conditions: ['workerd', 'countersign-source'],
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    const files = Object.keys(metafile.inputs);
    expect(files.filter((path) => path.endsWith('/testing.ts'))).toEqual([]);
    const [output] = Object.values(metafile.outputs);
    expect(output?.imports).toEqual([]);
    const inputs = Object.entries(output?.inputs ?? {})
      .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== '<stdin>')
      .map(([path]) => path);
    await expectRecorded(`receiver-bundle-${name}`, {
      'bytes, minified and gzipped': bytes,
      modules: inputs.length,
      folders: foldersOf(inputs, generated.project),
    });
  },
);

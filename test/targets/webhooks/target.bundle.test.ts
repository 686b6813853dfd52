import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { readContract } from '../client/emit-client.ts';
import { generateWebhooks } from './emit-webhooks.ts';

/**
 * The maximum size in bytes. The messages of errors name what is wrong and what to do. The former limit of 20,000 had
 * no room for bodies, elements and violations that are received in linear time, and that of 21,000 none for deliveries
 * that resemble a kind, nor for numbers as texts. That of 22,000 had none for timestamps in a pattern, nor for XML,
 * which is never taken for another kind. That of 23,000 had none for a secret in the path, which nothing stores.
 */
const budget = 23_100;

test.each([
  ["sharedSecret({ header: 'x-secret' }, 'secret')"],
  ["verifySignature({ keys: ['key'], headers: { apikey: 'key' } })"],
])(
  `a bundle for Workers with %s takes at most ${budget} bytes, gzipped, and nothing of Node`,
  async (authenticate) => {
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
    console.log(`receiver: ${bytes} bytes of ${budget}`);
    expect(bytes).toBeLessThanOrEqual(budget);
    const files = Object.keys(metafile.inputs);
    expect(files.some((path) => path.endsWith('digest-web.ts'))).toBe(true);
    expect(files.filter((path) => /-node\.ts$|\/testing\.ts$/.test(path))).toEqual([]);
  },
);

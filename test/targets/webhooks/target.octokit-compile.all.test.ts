import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileStrictly, resolutionNames } from '../strict-compile.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { readWebhooks } from './octokit/read-document.ts';

let generated: GeneratedWebhooks;

beforeAll(async () => {
  generated = await generateWebhooks(await readWebhooks());
}, 300_000);
afterAll(() => generated[Symbol.asyncDispose]());

test.each(resolutionNames)(
  'everything compiles under every flag with the compiler before: %s',
  async (resolution) => {
    const options = {
      compiler: 'typescript',
      resolution,
      from: 'source',
      withRuntimes: true,
    } as const;
    const compiled = compileStrictly(generated.project, ['contract/src', 'webhooks/src'], options);
    await expect(compiled).resolves.toBeUndefined();
  },
  300_000,
);

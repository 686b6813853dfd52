import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateClient, readContract, type GeneratedClient } from './emit-client.ts';

/**
 * Bytes, minified and gzipped, that the client of this contract may take with its runtime, all signed parts included.
 * The former limit of 16,200 had no room for timestamps in a pattern.
 */
const budget = 16_800;

let generated: GeneratedClient;

beforeAll(async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
  });
  generated = await generateClient(contract);
});
afterAll(() => generated[Symbol.asyncDispose]());

async function bundle(
  code: string,
): Promise<{ readonly bytes: number; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: generated.project, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['countersign-source'],
  });
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  return { bytes, inputs: inputs.map(([path]) => path) };
}

describe('a bundle', () => {
  test(`of the unchecked client takes at most ${budget} bytes, its runtime included`, async () => {
    const { bytes, inputs } = await bundle(
      "export { createClient } from '@trade/client/unchecked';",
    );
    console.log(`unchecked client: ${bytes} bytes of ${budget}`);
    expect(bytes).toBeLessThanOrEqual(budget);
    expect(inputs.filter((path) => /[\\/]validators[\\/]/.test(path))).toEqual([]);
    const signing = inputs.filter((path) => /[\\/]signing[\\/]/.test(path));
    expect(signing.map((path) => path.replace(/^.*[\\/]/, '')).toSorted()).toEqual([
      'compact-input.ts',
      'compact-key.ts',
      'compact-signer.ts',
      'crypto-key.ts',
      'encoding.ts',
      'part.ts',
      'timestamp-pattern.ts',
      'timestamp.ts',
    ]);
  });

  test('of the checked client holds the validators of its own answers, and no other', async () => {
    const { inputs } = await bundle("export { createClient } from '@trade/client';");
    const validators = inputs.filter((path) => /[\\/]validators[\\/]/.test(path));
    expect(validators.map((path) => path.replace(/^.*[\\/]/, ''))).toEqual(['token.js']);
  });

  test('of one function leaves out what only other operations need', async () => {
    const { inputs } = await bundle(
      "export { createConnection, issueToken } from '@trade/client/unchecked';",
    );
    expect(inputs.some((path) => path.endsWith('operations/issue-token.ts'))).toBe(true);
    expect(inputs.some((path) => path.endsWith('multipart.ts'))).toBe(false);
  });
});

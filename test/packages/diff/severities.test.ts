import { beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../../cli/run-in-process.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { writeTree } from '../../output/tree.ts';

const documentWith = (values: readonly string[]): string =>
  JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'T', version: '1.0.0' },
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          responses: {
            200: {
              description: 'Done.',
              content: { 'application/json': { schema: { type: 'string', enum: values } } },
            },
          },
        },
      },
    },
  });

const settings = (code: string): string =>
  JSON.stringify({
    contract: { openapi: 'openapi.json' },
    scope: '@acme',
    output: 'out',
    targets: ['contract'],
    diff: {
      severities: [{ code, severity: 'compatible', reason: 'Our clients accept other values.' }],
    },
  });

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeTree(folder, {
    'old/openapi.json': documentWith(['x']),
    'openapi.json': documentWith(['x', 'y']),
    'countersign.config.json': settings('enum-value-added'),
  });
});

test('a severity of the configuration decides, and its reason is printed', async () => {
  const { code, out } = await runInProcess(folder, ['diff', 'old', '--fail-on', 'breaking']);
  expect(code).toBe(0);
  expect(out).toContain('compatible by the configuration: Our clients accept other values.');
  expect(out).toContain('0 breaking, 1 compatible');
});

test('a severity of a code that no change has is refused', async () => {
  await writeTree(folder, { 'countersign.config.json': settings('enum-value-eaten') });
  const { code, error } = await runInProcess(folder, ['diff', 'old']);
  expect(code).not.toBe(0);
  expect(error).toContain('`enum-value-eaten`, which is the code of no change');
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Config } from '../../../generator/config/config.ts';
import { unstatedEntries } from '../../../generator/documents/unstated-entries.ts';
import { readContract } from '../../../generator/generate.ts';
import { load } from '../../../generator/load/load.ts';
import { parseAnswers } from '../../../generator/tools/settle/answer.ts';
import { settle } from '../../../generator/tools/settle/settle.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { readTree, writeTree } from '../../output/tree.ts';

const openapi = `openapi: 3.1.1
info:
  title: Books
  version: 1.0.0
  x-countersign: 1
  x-unstated:
    title-length:
      source: '1'
      question: How long can a title be?
      choices:
        short:
          meaning: At most ten characters.
          actions: [{ target: $.components.schemas.Title, update: { maxLength: 10 } }]
        wrong:
          meaning: It has no length.
          actions: [{ target: $.components.schemas.Title, update: { maxLength: ten } }]
paths: {}
components:
  schemas:
    Title: { type: string }
`;
const exception = {
  rule: 'uncited-fact',
  at: 'openapi#/components/schemas/Title',
  reason: 'Asked.',
} as const;
const configuration = `export default {
  contract: { openapi: 'openapi.yaml' },
  lint: { exceptions: [{ rule: 'uncited-fact', at: 'openapi#/components/schemas/Title', reason: 'Asked.' }] },
};
`;

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeTree(folder, { 'openapi.yaml': openapi, 'countersign.config.mjs': configuration });
});

async function answer(
  text: string,
  lint?: Config['lint'],
): Promise<{ readonly outcome: Awaited<ReturnType<typeof settle>>; readonly reads: number }> {
  const config: Config = {
    contract: { openapi: 'openapi.yaml' },
    output: 'generated',
    targets: [],
    ...(lint === undefined ? {} : { lint }),
  };
  const documents = await load(config.contract, { folder });
  let reads = 0;
  const outcome = await settle(
    parseAnswers([text], unstatedEntries(documents)),
    config,
    {
      folder,
      documents,
      configuration: 'countersign.config.mjs',
      readText: (path) =>
        existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined,
    },
    async (read, texts) => {
      reads += 1;
      return await readContract(read, folder, texts === undefined ? {} : { texts });
    },
  );
  return { outcome, reads };
}

it('plans an overlay and its line in the configuration, and writes nothing', async () => {
  const { outcome, reads } = await answer('title-length=short');
  expect(outcome).toMatchObject({
    plan: {
      creates: [{ path: 'overlays/answers-openapi.yaml' }],
      edits: [{ path: 'countersign.config.mjs' }],
      settled: [{ id: 'title-length', answer: 'short' }],
    },
    left: [],
  });
  expect(reads).toBe(1);
  expect(Object.keys(await readTree(folder)).toSorted()).toEqual([
    'countersign.config.mjs',
    'openapi.yaml',
  ]);
});

it('returns the contract with the errors that an answer causes', async () => {
  const { outcome } = await answer('title-length=wrong');
  expect(outcome).toHaveProperty('invalid.diagnostics');
  expect(outcome).not.toHaveProperty('plan');
});

it('reads the contract before the answers only where exceptions of lint can become unused', async () => {
  const { reads } = await answer('title-length=short', { exceptions: [exception] });
  expect(reads).toBe(2);
});

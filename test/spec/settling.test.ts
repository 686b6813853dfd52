import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import { pointerDocument, pointerMembers } from '../../generator/json/pointer.ts';
import { load } from '../../generator/load/load.ts';
import { choicesOf, unstatedEntries } from '../../generator/load/unstated-entries.ts';
import { type ReadContract, readContract } from '../../generator/generate.ts';

const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
const repository = fileURLToPath(new URL('../../', import.meta.url));
const ledger = unstatedEntries(await load(files, { folder: repository }));
const answers = ledger.flatMap((entry) =>
  choicesOf(entry).map(({ name }) => ({ id: entry.id, choice: name, pointer: entry.at.pointer })),
);

let folder: string;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settling-'));
  await cp(join(repository, 'spec'), join(folder, 'spec'), { recursive: true });
  base = withoutLedger((await read([])).contract);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('every choice of the ledger, when it is settled', () => {
  test.each(answers)('$id: $choice', async ({ choice, pointer }) => {
    const document = pointerDocument(pointer);
    const target = `$${pointerMembers(pointer)
      .map((member) => `['${member}']`)
      .join('')}`;
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'An answer', version: '1.0.0' },
      extends: `./${document}.yaml`,
      actions: [{ target, update: { settled: choice } }],
    };
    await writeFile(join(folder, 'spec/answer.yaml'), JSON.stringify(overlay));
    const { contract, diagnostics } = await read(['spec/answer.yaml']);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const isReported = diagnostics.some(({ code }) => code === 'settled-without-effect');
    // Settling changes the contract, or is reported: never neither, and never both.
    expect(withoutLedger(contract) !== base).toBe(!isReported);
  });
});

async function read(overlays: readonly string[]): Promise<ReadContract> {
  const config = { contract: { ...files, overlays }, output: 'generated', targets: [] };
  return readContract({ ...config, scope: '@instant-payment' }, folder);
}

/** The contract as text, without the ledger, the documents, and the examples that an answer leaves out. */
function withoutLedger(contract: Contract | undefined): string {
  const ignored = new Set(['x-unstated', 'unstated', 'documents', 'examples', 'invalidExamples']);
  return JSON.stringify(contract, (key, value: unknown) => (ignored.has(key) ? undefined : value));
}

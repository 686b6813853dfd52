import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../../generator/contract/contract.ts';
import { readContract } from '../../../generator/generate.ts';
import { pointerDocument, pointerMembers } from '../../../generator/json/pointer.ts';

/** Reads the contract of this repository with an answer to every ledger entry that has choices. */
export async function readAnswered(
  choose: (entry: Contract['unstated'][number]) => string | undefined,
): Promise<Contract> {
  const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
  const config = { output: 'generated', targets: [], scope: '@instant-payment' };
  const folder = await mkdtemp(join(tmpdir(), 'countersign-diff-'));
  try {
    await cp('spec', join(folder, 'spec'), { recursive: true });
    const { contract } = await readContract({ ...config, contract: files }, folder);
    const overlays: string[] = [];
    for (const name of ['openapi', 'asyncapi']) {
      const actions = (contract?.unstated ?? []).flatMap((entry) => {
        const settled = entry.choices.length === 0 ? undefined : choose(entry);
        if (settled === undefined || pointerDocument(entry.pointer) !== name) return [];
        const members = pointerMembers(entry.pointer).map((member) => `['${member}']`);
        return [{ target: `$${members.join('')}`, update: { settled } }];
      });
      if (actions.length === 0) continue;
      const info = { title: 'Answers', version: '1.0.0' };
      const overlay = { overlay: '1.0.0', info, extends: `./${name}.yaml`, actions };
      await writeFile(join(folder, `spec/${name}-answers.yaml`), JSON.stringify(overlay));
      overlays.push(`spec/${name}-answers.yaml`);
    }
    const read = await readContract({ ...config, contract: { ...files, overlays } }, folder);
    if (read.contract === undefined) throw new Error(JSON.stringify(read.diagnostics));
    return read.contract;
  } finally {
    await rm(folder, { recursive: true });
  }
}

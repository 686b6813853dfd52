import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { load } from '../../generator/load/load.ts';
import { contractTarget } from '../../generator/targets/contract/target.ts';
import { writeTree } from '../output/tree.ts';
import { readContract } from '../targets/client/emit-client.ts';
import { emitFiles } from '../targets/emit-project.ts';

let folder = '';

beforeAll(async () => {
  const contract = await readContract({
    openapi: 'spec/openapi.yaml',
    asyncapi: 'spec/asyncapi.yaml',
    workflows: ['spec/workflows/flows.yaml'],
  });
  folder = `${await mkdtemp(join(tmpdir(), 'countersign-published-'))}/`;
  const data = ['openapi', 'asyncapi', 'workflows'];
  const files = await emitFiles(contractTarget, contract, { options: { data } });
  const written = [...files].map(([path, text]) => [path.replace(/^contract\//u, ''), text]);
  await writeTree(folder, Object.fromEntries(written));
});

afterAll(() => rm(folder, { recursive: true }));

async function read(file: string): Promise<JsonObject> {
  return JSON.parse(await readFile(folder + file, 'utf8')) as JsonObject;
}

describe('openapi.json of the package contract', () => {
  it('is valid for swagger-parser', async () => {
    await expect(
      SwaggerParser.validate(structuredClone(await read('openapi.json')) as never),
    ).resolves.toBeDefined();
  });

  it("is valid by Redocly's rules of the specification", async () => {
    const config = await createConfig({ extends: ['spec'] });
    const source = await readFile(`${folder}openapi.json`, 'utf8');
    expect(await lintFromString({ source, config })).toEqual([]);
  });

  it('is itself a contract that loads without a problem', async () => {
    expect((await load({ openapi: 'openapi.json' }, { folder })).diagnostics).toEqual([]);
  });

  it('describes each notification of the AsyncAPI document, with each of its examples', async () => {
    const openapi = await read('openapi.json');
    const asyncapi = await read('asyncapi.json');
    const { messages } = asyncapi['components'] as {
      messages: Record<string, { examples: { name: string; payload: Json }[] }>;
    };
    const webhooks = openapi['webhooks'] as Record<
      string,
      Record<
        string,
        { requestBody: { content: Record<string, { examples: Record<string, { value: Json }> }> } }
      >
    >;
    expect(Object.keys(webhooks)).toEqual(Object.keys(messages));
    expect(messages).not.toEqual({});
    for (const [kind, { examples }] of Object.entries(messages)) {
      const [operation] = Object.values(webhooks[kind] ?? {});
      const described = operation?.requestBody.content['application/json']?.examples ?? {};
      expect(Object.entries(described).map(([name, { value }]) => [name, value])).toEqual(
        examples.map(({ name, payload }) => [name, payload]),
      );
    }
  });
});

describe('asyncapi.json of the package contract', () => {
  it('is itself a contract that loads without a problem', async () => {
    expect((await load({ asyncapi: 'asyncapi.json' }, { folder })).diagnostics).toEqual([]);
  });
});

describe('workflows/flows.json of the package contract', () => {
  it('is a contract with the published documents that loads without a problem', async () => {
    const files = {
      openapi: 'openapi.json',
      asyncapi: 'asyncapi.json',
      workflows: ['workflows/flows.json'],
    };
    const { diagnostics, workflows } = await load(files, { folder });
    expect(diagnostics).toEqual([]);
    expect(workflows?.root).toEqual({ flows: await read('workflows/flows.json') });
  });

  it('is the document of the contract, apart from the URLs of other documents', async () => {
    const spec = new URL('../../spec/workflows/flows.yaml', import.meta.url);
    const sourceFlows = parse(await readFile(spec, 'utf8')) as JsonObject;
    const { sourceDescriptions, ...published } = await read('workflows/flows.json');
    expect({ ...published, sourceDescriptions: sourceFlows['sourceDescriptions'] }).toEqual(
      sourceFlows,
    );
    expect(JSON.stringify(sourceDescriptions)).toContain('"../openapi.json"');
  });

  it("is valid by Redocly's recommended rules", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = await readFile(`${folder}workflows/flows.json`, 'utf8');
    expect(await lintFromString({ source, config })).toEqual([]);
  });
});

describe('both documents', () => {
  it.each(['openapi.json', 'asyncapi.json'])(
    'refer to nothing outside themselves: %s',
    async (file) => {
      const references = [...JSON.stringify(await read(file)).matchAll(/"\$ref":"([^"]*)"/g)].map(
        ([, target]) => target,
      );
      expect(references.length).toBeGreaterThan(0);
      expect(references.filter((target) => !target?.startsWith('#/'))).toEqual([]);
    },
  );
});

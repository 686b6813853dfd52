import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutDerived } from '../../generator/select/without-derived.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, type Tree, writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';

const inline = `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0 }
defaultContentType: application/json
channels:
  moves:
    address: /parcels
    messages: { parcelLost: { $ref: '#/components/messages/parcelLost' } }
operations:
  tell:
    action: send
    channel: { $ref: '#/channels/moves' }
    bindings: { http: { method: POST } }
components:
  messages:
    parcelLost:
      payload:
        type: object
        required: [id, place]
        properties:
          id: { type: string }
          place: { type: object, properties: { town: { type: string } } }
`;
const call = `openapi: 3.1.2
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels: { get: { operationId: listParcels, responses: { '200': { description: All. } } } }
`;

/** What is generated of contracts with two documents: of this repository's own, and of one whose payload has no name. */
const contracts: Readonly<Record<string, () => Promise<Tree>>> = {
  'the contract of this repository': async () => {
    const paths = ['contract', 'client', 'webhooks'].map(async (name) => {
      const tree = await readTree(join(repository, 'generated', name));
      return Object.entries(tree).map(([path, text]) => [`generated/${name}/${path}`, text]);
    });
    return Object.fromEntries((await Promise.all(paths)).flat());
  },
  'a contract with inline payloads': () =>
    generate({ 'openapi.yaml': call, 'asyncapi.yaml': inline }, ['openapi.yaml', 'asyncapi.yaml']),
};

/** The documents that a contract package publishes. */
function publishedIn(tree: Tree): Tree {
  return Object.fromEntries(
    ['openapi.json', 'asyncapi.json'].map((file) => [
      file,
      tree[`generated/contract/${file}`] ?? '',
    ]),
  );
}

/** Generates types, a client and receivers, as far as the documents have something for them. */
async function generate(documents: Tree, files: readonly string[]): Promise<Tree> {
  const folder = await temporaryFolder();
  const contract = Object.fromEntries(files.map((file) => [file.split('.')[0], file]));
  const targets = [
    'contract',
    ...('openapi' in contract ? ['client'] : []),
    ...('asyncapi' in contract ? ['webhooks'] : []),
  ];
  await writeTree(folder, {
    ...documents,
    'countersign.config.json': JSON.stringify({
      contract,
      scope: '@instant-payment',
      output: 'generated',
      targets,
    }),
  });
  const { code, error } = await runInProcess(folder, ['generate']);
  expect(code, error).toBe(0);
  return await readTree(folder);
}

/** Generated code, without what states from which document it comes. */
function codeOf(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([path]) => /^generated\/\w+\/(?:src|validators|schemas)\//u.test(path))
      .map(([path, text]) => [
        path,
        text.replaceAll(/^ *(?:\/\*\*|\*) @see [^\s,]+:\d+(?: \*\/)?\n/gmu, ''),
      ]),
  );
}

describe.each(Object.entries(contracts))('%s, published', (_, read) => {
  it('is a contract of which the same code is generated, and the same documents again', async () => {
    const original = await read();
    const once = await generate(publishedIn(original), ['openapi.json', 'asyncapi.json']);
    expect(codeOf(once)).toEqual(codeOf(original));
    const twice = await generate(publishedIn(once), ['openapi.json', 'asyncapi.json']);
    expect(publishedIn(twice)).toEqual(publishedIn(once));
  });

  it.each(['openapi.json', 'asyncapi.json'])(
    'can be read by one of its documents: %s',
    async (file) => {
      const tree = await generate(publishedIn(await read()), [file]);
      expect(Object.keys(codeOf(tree)).length).toBeGreaterThan(0);
    },
  );
});

it('what only looks derived stays: its origin is missing, is derived itself, or something else refers to it', () => {
  const from = (origin: string): JsonObject => ({
    type: 'string',
    'x-countersign-derived-from': origin,
  });
  const schemas: JsonObject = {
    A: from('#/components/schemas/B'),
    B: from('#/components/schemas/A'),
    C: from('#/components/schemas/Missing'),
    D: from('asyncapi#/components/messages/d/payload'),
    E: { $ref: '#/components/schemas/D' },
  };
  const root: JsonObject = { components: { schemas } };
  const openapi = { version: '3.1.2', file: 'a.json', root };
  const documents = {
    openapi,
    files: [],
    diagnostics: [],
    locate: () => ({ file: '', line: 1, column: 1 }),
  };
  const restored: Json | undefined = withoutDerived(documents).openapi?.root;
  expect(restored).toEqual(root);
});

import { posix } from 'node:path';
import { expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { readContract } from '../../generator/generate.ts';
import { writeContract } from '../load/write-contract.ts';

const segments = Array.from({ length: 60 }, (_, index) => `segment${index}`).join('/');
const long = 'Long'.repeat(60);
const names = ['Aux', 'PRN', 'com1', long, `${long}er`];

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const anything = json({ type: 'object', properties: { at: { enum: ['a', 'b'] } } });

const openapi = {
  openapi: '3.1.1',
  info: { title: 'Names', version: '1.0.0' },
  paths: Object.fromEntries(
    [`/${segments}`, `/${segments}/more`, '/nul', '/con'].map((path) => [
      path,
      {
        post: {
          tags: [path === '/nul' ? 'Aux' : long],
          requestBody: anything,
          responses: { 200: { description: 'Done.', ...anything } },
        },
      },
    ]),
  ),
  webhooks: Object.fromEntries(
    names.map((name) => [
      name,
      { post: { requestBody: json({ $ref: `#/components/schemas/${name}` }), responses: {} } },
    ]),
  ),
  components: {
    // Above 200 schemas, each tag has a module.
    schemas: Object.fromEntries(
      [...names, ...Array.from({ length: 200 }, (_, index) => `More${index}`)].map((name) => [
        name,
        { type: 'object' },
      ]),
    ),
  },
};

it.each(['packages', 'folder'] as const)(
  'names that no file can have are written as %s, and every import leads to a file',
  async (layout) => {
    const folder = await writeContract({ 'openapi.json': JSON.stringify(openapi) });
    const config: Config = {
      contract: { openapi: 'openapi.json' },
      scope: '@names',
      output: 'generated',
      layout,
      targets: ['contract', 'client', 'webhooks', 'webhooks-node'],
    };
    const { contract, diagnostics } = await readContract(config, folder);
    if (contract === undefined) throw new Error(JSON.stringify(diagnostics));
    // Throws for a path that a file system refuses.
    const files = await emitFiles(contract, config);
    const paths = new Set(files.map(({ path }) => path));
    expect([...paths]).toContainEqual(expect.stringMatching(/types\/aux_\.ts$/u));
    // Documents of the runtime show modules of applications.
    const own = files.filter(({ path }) => !path.startsWith('runtime/docs/'));
    const missing = own.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/ from '(\.[^']+)'/gu), ([, module = '']) => {
        const to = posix.join(posix.dirname(path), module);
        return paths.has(to) || paths.has(to.replace(/\.js$/u, '.ts'))
          ? []
          : [`${path}: ${module}`];
      }).flat(),
    );
    expect(missing).toEqual([]);
  },
);

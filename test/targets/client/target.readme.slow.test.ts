import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { compile } from '../compile.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateClient, readContract } from './emit-client.ts';

/** A contract, the call that its README shows, the requests of the README's code, and a file about its types. */
type Row = readonly [path: string, call: string, requests: readonly string[], fixture: string];

test.each<Row>([
  ['spec/openapi.yaml', '', [], ''],
  [
    'examples/pix-callback/openapi.yaml',
    'client.registerWebhook({',
    ['PUT https://service.example/webhook/1'],
    '',
  ],
  ['test/corpus/contracts/alarms.yaml', 'client.', ['POST https://service.example/alarms'], ''],
  [
    'test/corpus/contracts/harbours.yaml',
    'client.listShips()',
    ['GET https://harbours.example/ships'],
    '',
  ],
  [
    'test/corpus/contracts/kennels.yaml',
    'client.addPet({ body: { box: 3 } })',
    // The service refuses the token that the client asks for by itself.
    ['POST https://kennels.example/token'],
    '',
  ],
  [
    'test/targets/client/lists.yaml',
    'client.searchEvents({ body: {} })',
    ['POST https://lists.example/v1/events/search'],
    'lists.types.ts.fixture',
  ],
])(
  'the code of the README of a client compiles and runs: %s',
  async (path, call, sent, fixture) => {
    const contract = await readContract(
      { openapi: basename(path) },
      join(process.cwd(), dirname(path)),
    );
    await using generated = await generateClient(contract);
    const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
    const blocks = Array.from(readme.matchAll(/^```ts\n([^]*?)^```/gmu), ([, code = '']) => code);
    expect(blocks[0]).toContain(call);
    expect(readme.indexOf('```ts')).toBeLessThan(1000);
    const file = join(generated.project, 'use.ts');
    const types = fixture === '' ? '' : await readFile(new URL(fixture, import.meta.url), 'utf8');
    await writeFile(file, `${types}\n${blocks.join('\n')}\nvoid client;\n`);
    await compile('ts7', generated.contract, ['-b']);
    await compileStrictly(generated.project, ['use.ts'], {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'source',
      withRuntimes: true,
    });
    for (const [, variable = ''] of readme.matchAll(/process\.env\['(\w+)'\]/gu))
      vi.stubEnv(variable, variable.endsWith('URL') ? 'https://service.example' : '1');
    const requests: string[] = [];
    vi.stubGlobal('fetch', (url: URL | string, { method = '' }: RequestInit = {}) => {
      requests.push(`${method} ${String(url)}`);
      return Promise.resolve(Response.json({}, { status: 418 }));
    });
    const error = vi.spyOn(console, 'error').mockReturnValue();
    try {
      await import(pathToFileURL(file).href);
      expect(requests).toEqual(sent);
      expect(error.mock.calls.map(([, status]) => status as unknown)).toEqual(sent.map(() => 418));
    } finally {
      error.mockRestore();
      vi.unstubAllGlobals();
      vi.unstubAllEnvs();
    }
  },
  60_000,
);

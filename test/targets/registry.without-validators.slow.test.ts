import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree } from '../output/tree.ts';
import { readOpenapi } from './client/emit-client.ts';
import { compile } from './compile.ts';
import { generateProject } from './emit-project.ts';
import { compileApplication, createApplication, run } from '../emit/folder/create-application.ts';
import { clientTarget } from '../../generator/targets/client/target.ts';
import { contractTarget } from '../../generator/targets/contract/target.ts';

const openapi = {
  openapi: '3.1.2',
  info: { title: 'Loans', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
  paths: {
    '/loans/{id}': {
      get: {
        operationId: 'getLoan',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
        ],
        responses: {
          200: {
            description: 'A loan.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Loan' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Loan: {
        type: 'object',
        required: ['id', 'state'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          state: { $ref: '#/components/schemas/State' },
        },
      },
      State: { type: 'string', enum: ['lent', 'returned'] },
    },
  },
};

/** Asks for a loan, and is answered with something else. */
const program = `import { ClientError, createClient } from './generated/client/index.ts';
import { State, type Loan } from './generated/contract/index.ts';

const client = createClient({
  baseUrl: 'http://127.0.0.1',
  invalidResponse: 'throw',
  fetch: () => Promise.resolve(Response.json({ id: 1 })),
});
try {
  const { body } = await client.getLoan({ path: { id: '11111111-2222-4333-8444-555555555555' } });
  const loan: Loan = body;
  console.log(JSON.stringify({ loan, lent: State.Lent }));
} catch (error) {
  console.log(JSON.stringify({ code: error instanceof ClientError ? error.code : String(error) }));
}
`;

describe('an output without validators', () => {
  const files = { 'openapi.json': JSON.stringify(openapi), 'src/main.ts': program };
  const config = {
    contract: { openapi: 'openapi.json' },
    targets: ['contract', 'client'],
    importExtension: '.ts',
  } as const;

  test('has types and a client that accepts answers without validation, and no validators', async () => {
    const { folder } = await createApplication(files, { ...config, validators: false });
    const paths = Object.keys(await readTree(join(folder, 'src/generated')));
    const own = paths.filter((path) => !path.startsWith('runtime/'));
    expect(own.filter((path) => /valid|guard|runtime|checked/u.test(path))).toEqual([]);
    await compileApplication(folder, 'nodenext');
    expect(await run(folder, 'src/main.ts')).toEqual({ loan: { id: 1 }, lent: 'lent' });
  });

  test('differs from the one with them, whose client refuses such an answer', async () => {
    const { folder } = await createApplication(files, config);
    expect(await run(folder, 'src/main.ts')).toEqual({ code: 'invalid-response' });
  });

  test('keeps the guards of formats, which need no schema', async () => {
    const guard = `import { isUuid } from './generated/contract/index.ts';
console.log(JSON.stringify([isUuid('x'), isUuid('11111111-2222-4333-8444-555555555555')]));
`;
    const { folder } = await createApplication(
      { ...files, 'src/main.ts': guard },
      { ...config, validators: false, formats: { uuid: 'Uuid' } },
    );
    await compileApplication(folder, 'bundler');
    expect(await run(folder, 'src/main.ts')).toEqual([false, true]);
  });

  test('is packages that build, publish what they name, and say what they lack', async () => {
    const contract = await readOpenapi(openapi);
    const targets = [contractTarget, clientTarget];
    await using generated = await generateProject(contract, targets, {
      built: true,
      validators: false,
    });
    const { project } = generated;
    await compile('ts7', join(project, 'client'), ['-b']);
    for (const name of ['contract', 'client']) {
      const tree = Object.keys(await readTree(join(project, name)));
      const text = await readFile(join(project, name, 'package.json'), 'utf8');
      const { files: published } = JSON.parse(text) as { readonly files: readonly string[] };
      const missing = published.filter(
        (file) => !file.startsWith('!') && !tree.some((path) => `${path}/`.startsWith(`${file}/`)),
      );
      expect(missing).toEqual([]);
      expect(text).not.toContain('unchecked');
      const readme = await readFile(join(project, name, 'README.md'), 'utf8');
      expect(readme).toMatch(/generated without validators|has no validators/);
      expect(readme).not.toMatch(/unchecked|assert|validateX/u);
    }
  });
});

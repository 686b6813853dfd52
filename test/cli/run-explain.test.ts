import { beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../output/tree.ts';
import { run } from '../../generator/cli/run.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import type { VocabularyKey } from '../../generator/cli/describe-key.ts';
import { vocabulary } from '../../generator/contract/vocabulary/vocabulary.ts';
import { createProject } from './project.ts';
import { runInProcess } from './run-in-process.ts';

const openapi = `openapi: 3.1.2
info: { title: "Parcels \\u202E\\u009b", version: 1.0.0 }
paths:
  /parcels: { get: { operationId: listParcels, responses: { '204': { description: None. } } } }
`;

let folder: string;
beforeEach(async () => {
  ({ folder } = await createProject({
    'openapi.yaml': openapi,
    'broken.yaml': openapi.replace('{ description: None. }', '5'),
    'countersign.config.mjs': `export default ${JSON.stringify({
      contract: { openapi: 'openapi.yaml' },
      scope: '@parcels',
      output: 'generated',
      targets: ['contract'],
    })}`,
  }));
});

describe('countersign explain, of the model', () => {
  it('prints a part of the model as JSON, without colours', async () => {
    const { code, out } = await runInProcess(folder, ['explain', 'operations.listParcels'], {
      FORCE_COLOR: '1',
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ kind: 'operation', id: 'listParcels', method: 'GET' });
    expect(out).not.toContain('\u001b');
  });

  it('prints the whole model by default', async () => {
    const { out } = await runInProcess(folder, ['explain']);
    const model: unknown = JSON.parse(out);
    expect(model).toMatchObject({ info: { title: 'Parcels \u202e\u009b' }, schemas: [] });
    expect(out).toContain(String.raw`Parcels \u202e\u009b`);
  });

  it('reads a document without a configuration', async () => {
    const { code, out } = await runInProcess(folder, [
      'explain',
      'info.version',
      '--document',
      'openapi.yaml',
      '--config',
      'none.json',
    ]);
    expect({ code, out }).toEqual({ code: 0, out: '"1.0.0"\n' });
  });

  it('prints what it selected as data with --json', async () => {
    const { out } = await runInProcess(folder, ['explain', 'operations.0.method', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      command: 'explain',
      ok: true,
      results: [
        {
          asked: 'operations.0.method',
          declarations: [],
          explained: [],
          model: { paths: ['operations.0.method'], value: 'GET' },
        },
      ],
    });
  });

  it.each(['listParcels', 'openapi#/paths/~1parcels/get'])(
    'adds the model of what it explains with --json: %s',
    async (asked) => {
      const { out } = await runInProcess(folder, ['explain', asked, '--json']);
      expect(JSON.parse(out)).toMatchObject({
        results: [
          {
            explained: [{ kind: 'call', name: 'listParcels', line: 4 }],
            model: { paths: ['operations.0'], value: { id: 'listParcels', method: 'GET' } },
          },
        ],
      });
    },
  );

  it('prints the model although a target fails', async () => {
    await writeTree(folder, {
      'countersign.config.mjs': `export default {
        contract: { openapi: 'openapi.yaml' },
        scope: '@parcels',
        output: 'generated',
        targets: [{ name: 'own', requires: [], fingerprint: [], emit() { throw new Error('Not today.'); } }],
      }`,
    });
    const failed = await runInProcess(folder, ['explain', 'listParcels']);
    expect({ code: failed.code, out: failed.out }).toEqual({ code: 1, out: '' });
    const { code, out } = await runInProcess(folder, ['explain', 'operations.0.method']);
    expect({ code, out }).toEqual({ code: 0, out: '"GET"\n' });
  });

  it('suggests a name for a part that does not exist', async () => {
    const { code, out, error } = await runInProcess(folder, ['explain', 'listParcel']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain('Did you mean "listParcels"?');
  });

  it('shows the diagnostics of a contract with errors, and prints no model', async () => {
    const { code, out, error } = await runInProcess(folder, [
      'explain',
      '--document',
      'broken.yaml',
    ]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('broken.yaml:4');
  });

  it('refuses a document that does not exist', async () => {
    const { code, error } = await runInProcess(folder, ['explain', '--document', 'none.yaml']);
    expect(code).not.toBe(0);
    expect(error).toContain('There is no file "none.yaml".');
  });
});

describe('countersign explain, of a code', () => {
  it('prints its section without a configuration, and without Markdown', async () => {
    const empty = await temporaryFolder();
    const { code, out, error } = await runInProcess(empty, ['explain', 'empty-enum']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toBe(`empty-enum

Error. An \`enum\` is empty, so no value is valid.

Every body with this member would be refused.

Repair. List the values, or remove the keyword. If no value should be valid, write \`not: {}\`.

openapi.yaml
             type: string
  -          enum: []
  +          enum: [placed, paid]
`);
  });

  it('prints codes of lint and of the simulator too', async () => {
    for (const asked of ['redocly/no-empty-servers', 'unsupported-workflow']) {
      const { code, out } = await runInProcess(folder, ['explain', asked]);
      expect(code).toBe(0);
      expect(out).toContain(`${asked}\n\n`);
      expect(out).toContain('\n  +');
    }
  });

  it('returns the texts of the catalogue and the section as data with --json', async () => {
    const { out } = await runInProcess(folder, ['explain', 'empty-enum', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      command: 'explain',
      ok: true,
      results: [
        {
          asked: 'empty-enum',
          diagnostic: {
            severity: 'error',
            title: 'An `enum` is empty, so no value is valid.',
            page: expect.stringContaining('```diff openapi.yaml\n') as string,
          },
        },
      ],
    });
  });

  it('suggests the code that was meant', async () => {
    const { code, error } = await runInProcess(folder, ['explain', 'empty-enums']);
    expect(code).toBe(2);
    expect(error).toContain('Did you mean "empty-enum"?');
  });

  it('is named below diagnostics on a terminal, and not in a log', async () => {
    const printed = async (errorIsTerminal: boolean): Promise<string> => {
      let text = '';
      await run(['explain', 'info', '--document', 'broken.yaml'], {
        folder,
        environment: { NO_COLOR: '1' },
        outIsTerminal: errorIsTerminal,
        errorIsTerminal,
        columns: 80,
        out: () => undefined,
        error: (part) => void (text += part),
      });
      return text;
    };
    const hint = 'such as countersign explain invalid-openapi\n';
    expect(await printed(true)).toContain(hint);
    expect(await printed(false)).not.toContain('countersign explain');
  });
});

describe('countersign explain, of a key of the vocabulary', () => {
  it('prints its members without a configuration', async () => {
    const { code, out } = await runInProcess(await temporaryFolder(), [
      'explain',
      'x-access-token',
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^x-access-token {2}on a security scheme\n\noperation {2}required\n {2}a text\n/u,
    );
    expect(out).toContain(
      'must contain `{token}` in the place of the token, or `{ unstated: <id> }`',
    );
  });

  it.each(Object.keys(vocabulary))('has a member with a meaning, and a place: %s', async (key) => {
    const { out } = await runInProcess(folder, ['explain', key, '--json']);
    const { results } = JSON.parse(out) as {
      readonly results: readonly { readonly vocabulary: VocabularyKey }[];
    };
    const described = results[0]?.vocabulary;
    expect(described?.places.length).toBeGreaterThan(0);
    expect(described?.members.filter(({ meaning }) => meaning !== '').length).toBeGreaterThan(0);
  });

  it('is named by the help of an invalid value', async () => {
    const contract = openapi
      .replace('version: 1.0.0', 'version: 1.0.0, x-countersign: 1')
      .replace('responses:', 'x-repeatable: often, responses:');
    await writeTree(folder, { 'openapi.yaml': contract });
    const { error } = await runInProcess(folder, ['check', '--quiet']);
    expect(error).toContain('`countersign explain x-repeatable` shows its members');
  });
});

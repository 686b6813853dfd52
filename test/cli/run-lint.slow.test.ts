import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openapi as parcels } from '../tools/lint/parcels.ts';
import { createProject, openapi } from './project.ts';

const config = (lint: string): string => `export default {
  contract: { openapi: 'api/openapi.yaml' },
  scope: '@parcels',
  output: 'generated',
  targets: ['contract'],
  lint: ${lint},
};
`;
const text = parcels.replace('maximum: 30', 'minimum: 0');
const off = "{ rules: { 'unbounded-number': 'off' } }";

async function createLinted(
  contract: string = text,
  lint = '{}',
): ReturnType<typeof createProject> {
  return await createProject({
    'api/openapi.yaml': contract,
    'countersign.config.mjs': config(lint),
  });
}

describe('lint', () => {
  it('shows people each finding with its line, and how many there are', async () => {
    const { countersign } = await createLinted();
    const { code, out, error } = await countersign('lint');
    expect(error).toContain(`warning[unbounded-number] api/openapi.yaml:38:9
  The number "weight" has neither a step (\`multipleOf\`) nor a bound (\`maximum\`).
  37 |       properties:
  38 |         weight: { type: number, minimum: 0, x-source: '3' }
     |         ^
  help: Add`);
    expect(error).toContain('contract: 1 warning\n');
    expect(out).toBe('no errors\n');
    expect(code).toBe(0);
  });

  it.each([
    [[], off, 0],
    [[], "{ rules: { 'unbounded-number': 'error' } }", 1],
    [['--max-warnings', '0'], '{}', 1],
    [['--max-warnings', '1'], '{}', 0],
    [['--max-warnings', 'none'], '{}', 2],
    [['--format', 'sarif'], '{}', 2],
    [[], "{ exceptions: [{ rule: 'unbounded-numbers', at: 'openapi#', reason: 'None.' }] }", 2],
  ] as const)('with %j and %s ends with %d', async (parameters, lint, expected) => {
    const { countersign } = await createLinted(text, lint);
    const { code } = await countersign('lint', ...parameters);
    expect(code).toBe(expected);
  });

  it.each([['--format', 'json'], ['--json']])(
    'gives a machine the findings: %s',
    async (...flags) => {
      const { countersign } = await createLinted();
      const { out } = await countersign('lint', ...flags);
      expect(JSON.parse(out)).toMatchObject({
        command: 'lint',
        ok: true,
        results: [
          {
            output: 'generated',
            excepted: 0,
            diagnostics: [
              {
                code: 'unbounded-number',
                severity: 'warning',
                file: 'api/openapi.yaml',
                line: 38,
                column: 9,
                pointer: 'openapi#/components/schemas/Parcel/properties/weight',
              },
            ],
          },
        ],
      });
    },
  );

  it('gives GitHub a line for each, and no text of the contract begins one', async () => {
    const hostile = text.replace('weight:', '"weight\\n::error::mine\\r::stop-commands::all":');
    const { countersign } = await createLinted(hostile);
    const { out, error } = await countersign('lint', '--format', 'github');
    const lines = out.trimEnd().split(/\r\n|[\n\r]/u);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^::warning file=api\/openapi\.yaml,line=38,col=9,title=unbounded-number::The number /u,
    );
    expect(error).not.toContain('::stop-commands');
  });

  it('says all at once of a contract that cannot be generated', async () => {
    const { countersign } = await createLinted(text.replace('in: path', 'in: query'));
    const { code, error } = await countersign('lint');
    expect(error).toContain('error[undeclared-path-parameter]');
    expect(error).toContain('warning[unbounded-number]');
    expect(code).toBe(1);
  });

  it('does not make generate do its work again when its settings change', async () => {
    const { countersign, folder } = await createLinted();
    await countersign('generate');
    await writeFile(join(folder, 'countersign.config.mjs'), config(off));
    // A run that does the work tells what it is busy with.
    const again = await countersign('generate');
    expect(again).toMatchObject({ code: 0, out: 'generated: up to date\n', error: '' });
    await writeFile(
      join(folder, 'countersign.config.mjs'),
      config(off).replace('parcels', 'boxes'),
    );
    expect((await countersign('generate')).out).toContain(
      'updated  generated/contract/package.json',
    );
  });

  it('lints a contract without our vocabulary', async () => {
    const { countersign } = await createLinted(openapi);
    const { error } = await countersign('lint');
    expect(error).toContain('warning[redocly/info-license] api/openapi.yaml:2:1');
    expect(error).not.toContain('uncited-fact');
  });
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkConfig } from '../../generator/config/check-config.ts';
import { lintCatalogue } from '../../generator/diagnostics/lint-catalogue.ts';
import { createProject } from '../cli/project.ts';
import { openapi } from '../tools/lint/parcels.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function readPage(path: string): Promise<string> {
  return await readFile(join(root, path), 'utf8');
}

it('the page of the commands shows what lint prints', async () => {
  const page = await readPage('docs/commands.md');
  const [, shown = ''] = /```console\n\$ npx countersign lint\n([\s\S]*?)```/u.exec(page) ?? [];
  const contract = openapi
    .replace('enum: [new, sent]', 'enum: [new, sent, lost]')
    .replace("'^[A-Z]+$'", () => "'[A-Z]+^$'");
  const { folder, countersign } = await createProject({ 'api/openapi.yaml': contract });
  const config = { contract: { openapi: 'api/openapi.yaml' }, scope: '@a', output: 'generated' };
  const text = JSON.stringify({ ...config, targets: ['contract'] });
  await writeFile(join(folder, 'countersign.config.mjs'), `export default ${text};\n`);
  const { error, code } = await countersign('lint');
  expect(shown).not.toBe('');
  expect(error).toContain(shown);
  expect(code).toBe(1);
});

it("the toolkit's page has every rule of lint, with its severity", async () => {
  const page = await readPage('generator/README.md');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (error|warning|info) +\| (.+?) +\|$/gmu)];
  const ownRules = Object.entries(lintCatalogue).filter(([code]) => !code.startsWith('redocly/'));
  expect(rows.map(([, code, severity, title]) => [code, severity, title])).toEqual(
    ownRules.map(([code, { severity, title }]) => [code, severity, title]),
  );
});

it("the toolkit's page shows settings of lint that are right", async () => {
  const page = await readPage('generator/README.md');
  const [, settings = ''] = /```js\nconst lint = ([\s\S]*?);\n```/u.exec(page) ?? [];
  const module = `data:text/javascript,${encodeURIComponent(`export default ${settings}`)}`;
  const { default: lint } = (await import(/* @vite-ignore */ module)) as {
    readonly default: object;
  };
  const config = {
    contract: { openapi: 'a.yaml' },
    scope: '@a',
    output: 'b',
    targets: ['contract'],
  };
  expect(await checkConfig({ ...config, lint }, 'page')).toEqual([{ ...config, lint }]);
});

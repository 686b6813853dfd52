import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { target } from '../../../../packages/simulator/src/target/target.ts';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';
import { emitFiles, repository } from '../../../targets/emit-project.ts';

it('the example in the README of the generated simulator delivers a notification', async () => {
  const readme = await readFile(join(repository, 'generated/simulator/README.md'), 'utf8');
  const [, example = ''] = /^```ts\n(.*?)^```$/msu.exec(readme) ?? [];
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  for (const scope of ['@countersign', '@instant-payment'])
    await symlink(join(repository, 'node_modules', scope), join(folder, 'node_modules', scope));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'example.ts'), example);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', 'example.ts'],
    { cwd: folder },
  );
  expect(stdout).toBe('received customer\nacknowledged\n');
});

/** Returns the README for a contract with one notification that has the given security. */
async function readmeWith(security: string): Promise<string> {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Tides, version: '1' }
webhooks:
  tideTurned:
    post:
      ${security}
      requestBody:
        content: { application/json: { schema: { type: object }, example: { at: 1 } } }
      responses: { '200': { description: Received. } }
components:
  securitySchemes:
    secret: { type: apiKey, in: header, name: x-secret }
`,
  });
  const files = await emitFiles(target, contract);
  return [...files].find(([path]) => path.endsWith('README.md'))?.[1] ?? '';
}

it.each([
  ['', 'The contract does not declare it, so a delivery carries no proof'],
  ['security: [{}]', 'The contract says that nothing authenticates them'],
  ['security: [{ secret: [] }]', 'As the contract declares it.'],
])('the README says how deliveries are authenticated: "%s"', async (security, words) => {
  const readme = await readmeWith(security);
  const [, section = ''] = readme.split('## How notifications are authenticated');
  expect(section.trim()).toMatch(new RegExp(`^${words.replaceAll('.', String.raw`\.`)}`, 'u'));
  expect(readme).toContain('this one only counts');
});

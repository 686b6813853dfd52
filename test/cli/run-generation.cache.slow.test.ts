import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKept } from '../../generator/cache/kept.ts';
import { ajvVersion } from '../../generator/validators/ajv.ts';
import { createProject, openapi, type Project } from './project.ts';

const configuration = `export default {
  contract: { openapi: 'openapi.yaml' },
  scope: '@books',
  output: 'generated',
  targets: [{ use: 'contract', validateUnused: true }],
};
`;
const two = `${openapi}    Shelf: { type: object, properties: { row: { type: integer } } }\n`;
const validators = 'generated/contract/runtime/validators.js';

async function createCached(): Promise<Project & { readonly cache: string }> {
  const project = await createProject({
    'countersign.config.mjs': configuration,
    'openapi.yaml': two,
  });
  await mkdir(join(project.folder, 'node_modules'), { recursive: true });
  const { code, error } = await project.countersign('generate');
  expect(code, error).toBe(0);
  const folder = join(project.folder, 'node_modules/.cache/countersign');
  const name = (await readdir(folder)).find((file) => file.endsWith('.validators')) ?? '';
  return { ...project, cache: join(folder, name) };
}

/** Changes the code of the function of Shelf in the cache, and the hash of the file with it. */
async function poison(cache: string): Promise<void> {
  const [, text = ''] = (await readFile(cache, 'utf8')).split('\n');
  const kept = await openKept(cache, ajvVersion());
  for (const [key, value] of JSON.parse(text) as readonly [string, unknown][]) {
    const changed = JSON.stringify(value).replace('validateShelf(data,', '$&/* poisoned */');
    kept.add(key, JSON.parse(changed));
  }
  await kept.keep();
}

test('a schema that has not changed comes from the cache, which `check` does not read', async () => {
  const { folder, cache, countersign } = await createCached();
  await poison(cache);
  await writeFile(join(folder, 'openapi.yaml'), two.replace('title: {', 'name: {'));

  expect((await countersign('generate')).code).toBe(0);
  expect(await readFile(join(folder, validators), 'utf8')).toContain('poisoned');

  const checked = await countersign('check');
  expect(checked.code).toBe(1);
  expect(checked.out + checked.error).toContain(validators);
});

test('a damaged entry is compiled again', async () => {
  const { folder, cache, countersign } = await createCached();
  const shelfIn = async (): Promise<string | undefined> =>
    /function validateShelf[\s\S]*/u.exec(await readFile(join(folder, validators), 'utf8'))?.[0];
  const before = await shelfIn();
  expect(before).toContain('row');
  const text = await readFile(cache, 'utf8');
  await writeFile(cache, text.replaceAll('validateShelf(data,', '$&/* damaged */'));
  await writeFile(join(folder, 'openapi.yaml'), two.replace('title: {', 'name: {'));
  expect((await countersign('generate')).code).toBe(0);
  expect(await shelfIn()).toBe(before);
  expect(await readFile(cache, 'utf8')).not.toContain('damaged');
});

import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, openapi, type Project } from './project.ts';

const configuration = `export default {
  contract: { openapi: 'openapi.yaml' },
  scope: '@books',
  output: 'generated',
  targets: ['contract'],
};
`;
const two = `${openapi}    Shelf: { type: object, properties: { row: { type: integer } } }\n`;
const shelf = 'generated/contract/validators/shelf.js';

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

/** Changes the code of the function of Shelf in the cache, and the hash of the entry with it. */
async function poison(cache: string): Promise<void> {
  const lines = (await readFile(cache, 'utf8')).split('\n').map((line) => {
    if (!line.includes('validateShelf')) return line;
    const key = line.slice(0, 43);
    const text = line.slice(86).replace('validateShelf(data,', '$&/* poisoned */');
    return key + hash('sha256', key + text, 'base64url') + text;
  });
  await writeFile(cache, lines.join('\n'));
}

test('a schema that has not changed comes from the cache, which `check` does not read', async () => {
  const { folder, cache, countersign } = await createCached();
  await poison(cache);
  await writeFile(join(folder, 'openapi.yaml'), two.replace('title: {', 'name: {'));

  const checked = await countersign('check');
  expect(checked.code).toBe(1);
  expect(checked.out + checked.error).toContain('validators/book.js');
  expect(checked.out + checked.error).not.toContain('validators/shelf.js');

  expect((await countersign('generate')).code).toBe(0);
  expect(await readFile(join(folder, shelf), 'utf8')).toContain('poisoned');
});

test('a damaged entry is compiled again', async () => {
  const { folder, cache, countersign } = await createCached();
  const before = await readFile(join(folder, shelf), 'utf8');
  const text = await readFile(cache, 'utf8');
  await writeFile(cache, text.replaceAll('validateShelf(data,', '$&/* damaged */'));
  await writeFile(join(folder, 'openapi.yaml'), two.replace('title: {', 'name: {'));
  expect((await countersign('generate')).code).toBe(0);
  expect(await readFile(join(folder, shelf), 'utf8')).toBe(before);
  expect(await readFile(cache, 'utf8')).not.toContain('damaged');
});

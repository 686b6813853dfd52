import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../targets/emit-project.ts';

/** The pages that a reader may look for. Folders of code that people do not read as documentation are not among them. */
const pages = ['*.md', '{docs,spec}/**/*.md', 'generator/*.md', 'generator/diagnostics/pages/*.md'];
const readmes = ['packages/*/README.md', 'packages/runtime/**/*.md', 'examples/*/README.md'];

/** Folders whose own index lists their pages: `index` links them, and the index of the documentation links it. */
const folders = ['docs/decisions', 'docs/vocabulary', 'generator/diagnostics/pages'];

async function allPages(): Promise<readonly string[]> {
  const exclude = ['**/{node_modules,dist}/**', '**/CHANGELOG.md', 'docs/README.md'];
  const found: string[] = [];
  for await (const path of glob([...pages, ...readmes], { cwd: repository, exclude }))
    found.push(path.replaceAll('\\', '/'));
  return found.toSorted();
}

/** The pages of the repository that a page links, each as often as it does. */
async function linksOf(page: string): Promise<readonly string[]> {
  const text = await readFile(join(repository, page), 'utf8');
  return Array.from(text.matchAll(/\]\((?!https?:|#)([^)#]+\.md)/gu), ([, link = '']) =>
    posix.join(posix.dirname(page), link),
  );
}

test('the index links every page once', async () => {
  const expected = (await allPages()).filter(
    (page) => !folders.includes(dirname(page)) || page.endsWith('/README.md'),
  );
  expect(expected.length).toBeGreaterThan(40);
  expect((await linksOf('docs/README.md')).toSorted()).toEqual(expected);
});

test.each(folders)('the index of %s links each of its pages', async (folder) => {
  const linked = new Set(await linksOf(`${folder}/README.md`));
  const listed = (await allPages()).filter((page) => dirname(page) === folder);
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.filter((page) => !linked.has(page) && !page.endsWith('/README.md'))).toEqual([]);
});

test('every link between pages leads to a file', async () => {
  const missing: string[] = [];
  for (const page of ['docs/README.md', ...(await allPages())]) {
    const text = await readFile(join(repository, page), 'utf8');
    for (const [, link = ''] of text
      .replaceAll(/^```[^]*?^```$/gmu, '')
      .matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/gu))
      if (!existsSync(join(repository, dirname(page), link))) missing.push(`${link} in ${page}`);
  }
  expect(missing).toEqual([]);
});

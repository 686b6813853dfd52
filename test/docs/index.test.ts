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
  const exclude = [
    '**/{node_modules,dist}/**',
    '**/CHANGELOG.md',
    'docs/README.md',
    // The first page of the site, which has the index as its menu.
    'docs/site/index.md',
  ];
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

/** The text of a page without its fenced blocks. */
async function proseOf(page: string): Promise<string> {
  const text = await readFile(join(repository, page), 'utf8');
  return text.replaceAll(/^ *```[^]*?^ *```$/gmu, '');
}

/** The anchors of a page's headings, as GitHub derives them. */
async function anchorsOf(page: string): Promise<ReadonlySet<string>> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of (await proseOf(page)).matchAll(/^#+ (.*)$/gmu)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

test('every link leads to a file, and to a heading of it', async () => {
  const wrong: string[] = [];
  for (const page of ['docs/README.md', ...(await allPages())]) {
    const links = (await proseOf(page)).matchAll(
      /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/gu,
    );
    for (const [, path = '', anchor] of links) {
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(join(repository, target))) wrong.push(`${path} in ${page}`);
      else if (anchor !== undefined && target.endsWith('.md'))
        if (!(await anchorsOf(target)).has(anchor)) wrong.push(`${path}#${anchor} in ${page}`);
    }
  }
  expect(wrong).toEqual([]);
});

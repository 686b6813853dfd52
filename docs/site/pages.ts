import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, whose Markdown files are the pages. */
export const repository: string = fileURLToPath(new URL('../..', import.meta.url));

/** The page that the site starts with. */
const start = 'docs/site/index.md';

const patterns = [
  '*.md',
  'docs/**/*.md',
  'examples/*/README.md',
  'generated/*/README.md',
  'generator/*.md',
  'generator/diagnostics/pages/*.md',
  'packages/**/*.md',
  'spec/*.md',
  'templates/*.md',
];

/** What is no page, though it is Markdown. */
export const foreign: readonly string[] = [
  '**/AGENTS.md',
  '**/CHANGELOG.md',
  '{bench,test,tarballs}/**',
  'examples/*/{src,test}/**',
  'generated/*/*/**',
];

const excluded = /(?:^|\/)(?:node_modules|dist|\.vitepress)\/|(?:^|\/)(?:AGENTS|CHANGELOG)\.md$/u;

/** The paths of all pages in the repository, with slashes, in alphabetical order. */
export const pages: readonly string[] = globSync(patterns, {
  cwd: repository,
  exclude: (path) => excluded.test(path.replaceAll('\\', '/')),
})
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !excluded.test(path))
  .toSorted();

/** Where each page is on the site, by its path in the repository: both are files. */
export const rewrites: Readonly<Record<string, string>> = Object.fromEntries(
  pages.map((path) => [path, placeOf(path)]),
);

function placeOf(path: string): string {
  if (path === start) return 'index.md';
  // The root of the site is its start page.
  if (path === 'README.md') return 'readme.md';
  if (path === 'docs/README.md') return 'documentation.md';
  return path.replace(/^docs\//u, '').replace(/(^|\/)README\.md$/u, '$1index.md');
}

/** Returns the address of a page on the site. */
export function addressOf(path: string): string {
  return `/${(rewrites[path] ?? path).replace(/(?:(^|\/)index)?\.md$/u, '$1')}`;
}

/**
 * Returns the address to which a link of a page leads: that of another page, or a part of one. A link out of the site is
 * the same; `undefined` for one to a file or folder of the repository that is no page.
 * @param from the path of the page in the repository
 */
export function followLink(from: string, href: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/iu.test(href)) return href;
  const [target = '', ...hash] = href.split('#');
  const path = posix.join(posix.dirname(from), decodeURI(target)).replace(/\/$/u, '');
  const page = [path, posix.join(path, 'README.md')].find((candidate) =>
    Object.hasOwn(rewrites, candidate),
  );
  return page && [addressOf(page), ...hash].join('#');
}

/** Returns the name of a heading in an address, as the repository's links have it. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** A group of the menu, or an entry of one. */
export interface MenuGroup {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Returns the menu: the sections of the index of the documentation, with the pages that their tables list. */
export function menuOf(index: string = readPage('docs/README.md')): readonly MenuGroup[] {
  const [, ...sections] = index.split(/^## /mu);
  return sections.map((section, position) => {
    const [text = ''] = section.split('\n');
    const links = [...section.matchAll(/^\| \[(?<text>[^\]]+)\]\((?<href>[^)]+)\)/gmu)];
    const items = links.flatMap(({ groups: { text: label = '', href = '' } = {} }) => {
      const link = followLink('docs/README.md', href);
      return link === undefined ? [] : [{ text: label.replaceAll('`', ''), link }];
    });
    return { text, collapsed: position > 1, items };
  });
}

function readPage(path: string): string {
  return readFileSync(`${repository}/${path}`, 'utf8');
}

import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { followLink, foreign, menuOf, repository, rewrites, slugOf } from '../pages.ts';

const site = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/u, '');

/** The site has the Markdown files of the repository as they are. No page is written for it but the first. */
export default defineConfig({
  srcDir: repository,
  srcExclude: [...foreign],
  outDir: 'dist',
  title: 'Countersign',
  description: 'Typed, validated, signed packages from a contract.',
  lang: 'en',
  cleanUrls: true,
  rewrites: { ...rewrites },
  markdown: {
    anchor: { slugify: slugOf },
    config: (markdown) => {
      // What is between two braces would be an expression of Vue.
      const { rules } = markdown.renderer;
      for (const kind of ['text', 'code_inline']) {
        const render = rules[kind];
        if (render !== undefined)
          rules[kind] = (...of) => render(...of).replaceAll('{{', '&#123;&#123;');
      }
      // Pages have comments for those who write them, and names such as `<framework>`, but no HTML.
      for (const kind of ['html_block', 'html_inline'])
        rules[kind] = (tokens, index) => {
          const content = tokens[index]?.content ?? '';
          return content.startsWith('<!--') ? '' : markdown.utils.escapeHtml(content);
        };
      markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
        const from = pageOf(env.relativePath);
        for (const { children } of tokens) {
          const open: boolean[] = [];
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const href = followLink(from, token.attrGet('href') ?? '');
              open.push(href !== undefined);
              if (href !== undefined) token.attrSet('href', href);
              else
                Object.assign(token, {
                  type: 'file_open',
                  tag: 'span',
                  attrs: fileAttributes(from, token.attrGet('href')),
                });
            } else if (token.type === 'link_close' && open.pop() === false)
              Object.assign(token, { type: 'file_close', tag: 'span' });
          }
        }
      });
    },
  },
  // Pages are outside of this package, whose dependencies they need.
  vite: {
    plugins: [
      {
        name: 'dependencies-of-pages',
        enforce: 'pre',
        async resolveId(id, importer, options) {
          if (!/^vue(?:\/|$)/u.test(id)) return undefined;
          // The build itself runs in this package.
          if (options.ssr === true) return { id, external: true };
          if (importer?.startsWith(site) !== false) return undefined;
          return await this.resolve(id, `${site}/index.md`, { ...options, skipSelf: true });
        },
      },
    ],
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/readme' },
      { text: 'Documentation', link: '/documentation' },
      { text: 'Diagnostics', link: '/generator/diagnostics/pages/' },
    ],
    sidebar: menuOf().map((group) => ({ ...group, items: [...group.items] })),
    outline: [2, 3],
  },
});

const paths = new Map(Object.entries(rewrites).map(([path, place]) => [place, path]));

function pageOf(place: string): string {
  return paths.get(place) ?? place;
}

function fileAttributes(from: string, href: string | null): [string, string][] {
  const path = posix.join(posix.dirname(from), (href ?? '').replace(/#.*$/u, ''));
  return [['title', `${path} in the repository`]];
}

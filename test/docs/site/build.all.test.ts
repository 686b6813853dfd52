import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { glob } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressOf, pages } from '../../../docs/site/pages.ts';
import { executable } from '../../packages/reference/browser.ts';
import { repository } from '../../targets/emit-project.ts';

const site = join(repository, 'docs/site');
const built = join(site, 'dist');

beforeAll(() => {
  // The build itself has no network: it runs in a namespace of its own if the machine has that.
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: site, stdio: 'pipe', timeout: 300_000 });
  const alone = ['-rn', 'true'];
  const hasNamespaces = spawnSync('unshare', alone, { stdio: 'ignore' }).status === 0;
  const build = ['npm', 'run', 'build'];
  const [command = '', ...rest] = hasNamespaces ? ['unshare', '-rn', ...build] : build;
  execFileSync(command, rest, { cwd: site, stdio: 'pipe', timeout: 300_000 });
}, 660_000);

/** Returns the file that has a page of the site. */
function fileAt(address: string): string {
  const path = address === '/' || address.endsWith('/') ? `${address}index` : address;
  return join(built, `${path}.html`);
}

test('every page is written', () => {
  expect(pages.map((page) => fileAt(addressOf(page))).filter((file) => !existsSync(file))).toEqual(
    [],
  );
});

test('every link leads to a page, and to a heading of it', async () => {
  const texts = new Map<string, string>();
  for await (const file of glob('**/*.html', { cwd: built }))
    texts.set(join(built, file), readFileSync(join(built, file), 'utf8'));
  const wrong = new Set<string>();
  let count = 0;
  for (const [file, text] of texts)
    for (const [, href = ''] of text.matchAll(/ href="(\/[^"]*|#[^"]*)"/gu)) {
      const [address = '', hash = ''] = href.split('#');
      if (extname(address) !== '' && !address.endsWith('.html')) continue;
      const target = texts.get(address === '' ? file : fileAt(decodeURI(address)));
      count += 1;
      const name = decodeURIComponent(hash);
      if (target === undefined || (name !== '' && !target.includes(` id="${name}"`)))
        wrong.add(href);
    }
  expect(count).toBeGreaterThan(1000);
  expect([...wrong]).toEqual([]);
});

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

describe.runIf(executable !== undefined)('in a browser', () => {
  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('%d pixels wide and %s, pages are read and searched', async (width, colorScheme) => {
    const server = createServer(({ url = '/' }, response) => {
      const path = new URL(url, 'http://localhost').pathname;
      const file = extname(path) === '' ? fileAt(path) : join(built, path);
      const isThere = existsSync(file);
      response.statusCode = isThere ? 200 : 404;
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      response.end(isThere ? readFileSync(file) : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await chromium.launch({
      executablePath: executable ?? '',
      args: ['--no-sandbox'],
    });
    try {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const foreign: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(root)) foreign.push(request.url());
      });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      for (const address of ['/', '/guides/which-queue', '/vocabulary/x-signature']) {
        await page.goto(root + address, { waitUntil: 'networkidle' });
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide, address).toBeLessThanOrEqual(width);
        expect(await page.evaluate('document.documentElement.classList.contains("dark")')).toBe(
          colorScheme === 'dark',
        );
      }
      await page.keyboard.press('/');
      await page.locator('.VPLocalSearchBox input').fill('replay store');
      await page.locator('.VPLocalSearchBox .result').first().waitFor();
      expect(await page.locator('.VPLocalSearchBox .result').count()).toBeGreaterThan(2);
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

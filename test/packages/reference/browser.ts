import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Where distributions put Chromium; the variable names another place. */
const places = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The Chromium of this machine; `undefined` where there is none. */
export const executable: string | undefined = places.find(
  (path) => path !== '' && existsSync(path),
);

/** Starts the Chromium of this machine. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] });
}

/** A page that is open, and everything that it should not have done. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What was printed to the console, thrown, or shown as a dialog. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for besides the page itself. */
  readonly requests: readonly string[];
}

/** Serves a page from this machine alone, opens it and watches it. */
export async function openPage(
  browser: Browser,
  text: string,
  options: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<OpenPage> {
  const { hash = '', ...rest } = options;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const context = await browser.newContext({ reducedMotion: 'reduce', ...rest });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    // A browser asks for the icon of a site by itself.
    if (request.url() !== url && !request.url().endsWith('/favicon.ico'))
      requests.push(request.url());
  });
  await page.goto(url + hash);
  return {
    page,
    complaints,
    requests,
    async [Symbol.asyncDispose]() {
      await context.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

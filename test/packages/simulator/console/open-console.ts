import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startConsole } from '../../../../packages/simulator/src/console/start-console.ts';
import { createFakeSimulator, type FakeSimulator } from './fake-simulator.ts';

/** A console that is open in a browser, and everything that its page should not have done. */
export interface OpenConsole extends AsyncDisposable {
  readonly page: Page;
  readonly simulator: FakeSimulator;
  readonly link: string;
  /** What was printed to the browser's console, thrown, or shown as a dialog. */
  readonly complaints: readonly string[];
  /** Requests to other addresses than the console. */
  readonly foreign: readonly string[];
}

/** Starts a console of a fake simulator, and opens it by its link. */
export async function openConsole(
  browser: Browser,
  options: BrowserContextOptions & {
    /** Fills the journal before the page opens. */
    readonly prepare?: (simulator: FakeSimulator) => void;
  } = {},
): Promise<OpenConsole> {
  const { prepare, ...rest } = options;
  const simulator = createFakeSimulator({ to: 'http://127.0.0.1:3000/webhooks' });
  prepare?.(simulator);
  const started = await startConsole(simulator, { targets: ['http://127.0.0.1:3001/'] });
  const context = await browser.newContext({ reducedMotion: 'reduce', ...rest });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(started.url) && !url.startsWith('data:')) foreign.push(url);
  });
  const link = started.createLink();
  await page.goto(link);
  await page.locator('.views').waitFor();
  return {
    page,
    simulator,
    link,
    complaints,
    foreign,
    async [Symbol.asyncDispose]() {
      await context.close();
      await started.close();
      await simulator.close();
    },
  };
}

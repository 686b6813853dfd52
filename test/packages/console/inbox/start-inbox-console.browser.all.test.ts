import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable, startBrowser } from '../../reference/browser.ts';
import { openInboxConsole, type TestInboxConsole } from './open-inbox-console.ts';

interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  readonly inbox: TestInboxConsole;
  /** What was printed to the browser's console, thrown, or shown as a dialog, and requests to other addresses. */
  readonly complaints: readonly string[];
}

async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const inbox = await openInboxConsole();
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(inbox.console.url) && !url.startsWith('data:')) complaints.push(url);
  });
  await page.goto(inbox.console.createLink());
  await page.locator('.event-row').first().waitFor();
  return {
    page,
    inbox,
    complaints,
    async [Symbol.asyncDispose]() {
      await context.close();
      await inbox[Symbol.asyncDispose]();
    },
  };
}

async function select(page: Page, kind: string): Promise<void> {
  await page.locator('.event-row').filter({ hasText: kind }).first().click();
  await page.getByRole('heading', { name: kind }).waitFor();
}

const button = (page: Page, name: string): ReturnType<Page['getByRole']> =>
  page.getByRole('button', { name, exact: true });

describe.runIf(executable !== undefined)('the console of an inbox in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const looks = [360, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  );

  it.each(looks)(
    'fits $width pixels in $colorScheme, without complaint and without findings of axe',
    async ({ width, colorScheme }) => {
      const viewport = { width, height: 800 };
      await using open = await openPage(browser, { viewport, colorScheme, bypassCSP: true });
      const { page, complaints } = open;
      await page.evaluate(axe.source);
      const check = async (): Promise<void> => {
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        expect(overflow).toBeLessThanOrEqual(0);
        // What does not fit is cut off, because the panes do not scroll.
        const cut = await page.evaluate(() =>
          Array.from(document.querySelectorAll('.list *, .detail *'), (element) => {
            const right = element.closest('.list, .detail')?.getBoundingClientRect().right ?? 0;
            const isCut = element.getBoundingClientRect().right > right + 1;
            return isCut && element.closest('pre') === null ? element.outerHTML : [];
          }).flat(),
        );
        expect(cut).toEqual([]);
        const { violations } = await page.evaluate(
          async () =>
            await (globalThis as unknown as { axe: { run(): Promise<axe.AxeResults> } }).axe.run(),
        );
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      };
      await check();
      expect(await page.getByText('as ana').isVisible()).toBe(true);
      await button(page, 'Discard 3 shown').click();
      await page.getByText('Discard 3 shown now?').waitFor();
      await check();
      await select(page, 'handled');
      await button(page, 'Replay').click();
      await page.getByText('Its effects are repeated.').waitFor();
      await check();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await select(page, 'broken');
      await button(page, 'Reveal').click();
      await page.getByText('x-hostile').waitFor();
      await check();
      await button(page, 'Audit').click();
      await page.locator('.audit li').first().waitFor();
      await check();
      expect(complaints).toEqual([]);
    },
  );

  it('shows a payload only after it was revealed, and text of a stranger as text', async () => {
    await using open = await openPage(browser);
    const { page, inbox, complaints } = open;
    await select(page, 'broken');
    expect(await page.content()).not.toContain('secret');
    await button(page, 'Reveal').click();
    await page.getByText('"secret": "broken"').waitFor();
    expect(await page.locator('#main').textContent()).toContain('⟨U+202E⟩');
    expect(await page.locator('img').count()).toBe(0);
    expect(await inbox.store.audit()).toMatchObject([{ by: 'ana', action: 'reveal' }]);
    await select(page, 'handled');
    expect(await page.content()).not.toContain('secret');
    expect(complaints).toEqual([]);
  });

  it('shows why an event failed, and discards what is shown after a second click', async () => {
    await using open = await openPage(browser);
    const { page, inbox, complaints } = open;
    await select(page, 'broken');
    const violations = page.getByRole('list', { name: 'Violations' });
    await expect
      .poll(() => violations.getByRole('listitem').allTextContents())
      .toEqual(['/weightmust be integer type', '1 more']);
    expect(await violations.locator('code').allTextContents()).toEqual(['/weight', 'integer']);
    await select(page, 'behind');
    await page
      .getByText(`broken ${inbox.ids.broken}, a dead letter: retry or discard it`)
      .waitFor();
    await button(page, 'Show it').click();
    await page.getByRole('heading', { name: 'broken' }).waitFor();
    await button(page, 'Discard 3 shown').click();
    const confirm = button(
      page,
      'Discard 3 shown now? 1 fresh (ready), 1 behind (waiting), 1 broken (dead)',
    );
    await confirm.waitFor();
    expect((await inbox.store.stats()).byState.discarded).toBe(0);
    await confirm.click();
    await expect.poll(async () => (await inbox.store.stats()).byState.discarded).toBe(3);
    expect(complaints).toEqual([]);
  });

  it('retries no discarded event with others, and shows it in another color than a handled one', async () => {
    await using open = await openPage(browser);
    const { page, inbox } = open;
    await inbox.store.discard({ ids: [inbox.ids.fresh] }, 'ana');
    await inbox.store.discard({ ids: [inbox.ids.behind] }, 'ana');
    await page.reload();
    await page.getByText('discarded').nth(1).waitFor();
    expect(await page.getByRole('button', { name: /^Retry \d+ shown/u }).count()).toBe(0);
    const colorOf = async (kind: string): Promise<string> =>
      await page
        .locator('.event-row', { hasText: kind })
        .locator('.row-status')
        .evaluate((element) => getComputedStyle(element).color);
    expect(await colorOf('fresh')).not.toBe(await colorOf('handled'));
  });

  it('filters events', async () => {
    await using open = await openPage(browser);
    const { page } = open;
    const kinds = async (count: number): Promise<readonly string[]> => {
      await page.getByText(`${count} shown`).waitFor();
      return await page.locator('.event-row b').allTextContents();
    };
    expect(await kinds(4)).toEqual(['fresh', 'behind', 'broken', 'handled']);
    await page.getByLabel('State').selectOption('dead');
    expect(await kinds(1)).toEqual(['broken']);
    await page.getByLabel('State').selectOption('');
    expect(await kinds(4)).toHaveLength(4);
    await page.getByLabel('Kind').fill('fresh');
    expect(await kinds(1)).toEqual(['fresh']);
    await page.getByLabel('Kind').fill('nothing');
    await page.getByText('No event has what was selected.').waitFor();
  });

  it.each([360, 1280])('is operated by the keyboard alone at %i pixels', async (width) => {
    await using open = await openPage(browser, { viewport: { width, height: 800 } });
    const { page, inbox } = open;
    const focused = async (): Promise<string> =>
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.className || (activeElement?.textContent ?? '');
      });
    const row = page.locator('.event-row').filter({ hasText: 'broken' }).first();
    await row.focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('detail');
    await button(page, 'Retry').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Retry dead event now?').waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Retry').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await button(page, 'Retry').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await button(page, 'Discard').waitFor({ state: 'detached' });
    expect((await inbox.store.get(inbox.ids.broken))?.state).toBe('discarded');
    await expect.poll(focused).toBe('detail');
    await button(page, 'Reveal').focus();
    await page.keyboard.press('Space');
    await expect.poll(focused).toBe('Payload');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => row.evaluate((element) => element === document.activeElement))
      .toBe(true);
  });

  it('takes a double click and a held key for one click', async () => {
    await using open = await openPage(browser);
    const { page, inbox } = open;
    await select(page, 'broken');
    await button(page, 'Discard').dblclick();
    const confirm = button(page, 'Discard dead event now?');
    await confirm.waitFor();
    await page.keyboard.press('Escape');
    for (let count = 0; count < 5; count += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await confirm.waitFor();
    expect((await inbox.store.stats()).byState.discarded).toBe(0);
  });

  it('shows the state that an event has got meanwhile, and asks again', async () => {
    await using open = await openPage(browser);
    const { page, inbox } = open;
    await select(page, 'fresh');
    await button(page, 'Discard').click();
    await button(page, 'Discard ready event now?').waitFor();
    await inbox.store.discard({ ids: [inbox.ids.fresh] }, 'ben');
    await button(page, 'Retry').waitFor();
    expect(await button(page, 'Discard ready event now?').count()).toBe(0);
  });

  it('retries, discards and replays after a second click', async () => {
    await using open = await openPage(browser);
    const { page, inbox } = open;
    const stateOf = async (id: string): Promise<string | undefined> =>
      (await inbox.store.get(id))?.state;
    const act = async (kind: string, action: string, state: string): Promise<void> => {
      await select(page, kind);
      await button(page, action).click();
      const consequence = action === 'Replay' ? ' Its effects are repeated.' : '';
      const confirm = button(page, `${action} ${state} event now?${consequence}`);
      await confirm.click();
      await confirm.waitFor({ state: 'detached' });
    };
    await select(page, 'broken');
    await button(page, 'Retry').click();
    expect(await stateOf(inbox.ids.broken)).toBe('dead');
    await act('fresh', 'Discard', 'ready');
    await act('broken', 'Retry', 'dead');
    await act('handled', 'Replay', 'done');
    await expect.poll(async () => await stateOf(inbox.ids.handled)).toBe('ready');
    expect(await stateOf(inbox.ids.broken)).toBe('ready');
    expect(await stateOf(inbox.ids.fresh)).toBe('discarded');
    await button(page, 'Audit').click();
    await expect.poll(async () => await page.locator('.audit li').count()).toBe(3);
  });
});

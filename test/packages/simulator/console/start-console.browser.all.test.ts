import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executable, startBrowser } from '../../reference/browser.ts';
import { callEntry, deliveryEntry, secret, type FakeSimulator } from './fake-simulator.ts';
import { openConsole } from './open-console.ts';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const views = ['Timeline', 'Send', 'Controls', 'Workflows', 'Chart'] as const;

function prepare(simulator: FakeSimulator): void {
  const { journal } = simulator;
  for (let at = 0; at < 30; at += 1) {
    journal.add(callEntry(at * 2000));
    journal.add({
      ...deliveryEntry(at * 2000 + 900, 'parcelDelivered', '{"parcel":"p","weight":"x"}'),
      faults: ['duplicate'],
      attempt: 2,
      violations: [{ pointer: '/weight', keyword: 'type', message: 'must be a number' }],
    });
  }
  simulator.start('ship');
}

async function show(page: Page, view: (typeof views)[number]): Promise<void> {
  await page.locator('.views').getByRole('button', { name: view }).click();
}

async function findings(page: Page): Promise<readonly unknown[]> {
  const violations = await page.evaluate(
    async () =>
      (
        await (
          globalThis as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } }
        ).axe.run()
      ).violations,
  );
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
}

describe.runIf(executable !== undefined)('the console in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  const looks = [360, 800, 1280, 1920].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  );

  it.each(looks)(
    'fits $width pixels in $colorScheme in every view, without complaint or foreign request',
    async ({ width, colorScheme }) => {
      await using open = await openConsole(browser, {
        prepare,
        viewport: { width, height: 800 },
        colorScheme,
      });
      const { page, complaints, foreign } = open;
      const overflow = (): Promise<number> =>
        page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.locator('.timeline-row.call').first().click();
      await page.getByText('The signature does not match the request.').waitFor();
      expect(await overflow()).toBeLessThanOrEqual(0);
      for (const view of views) {
        await show(page, view);
        await page.locator(`main.view-${view.toLowerCase()} > *`).first().waitFor();
        expect(await overflow()).toBeLessThanOrEqual(0);
      }
      expect(complaints).toEqual([]);
      expect(foreign).toEqual([]);
    },
  );

  it.each(looks.filter(({ width }) => width === 360 || width === 1280))(
    'has nothing for axe to find at $width pixels in $colorScheme',
    async ({ width, colorScheme }) => {
      await using open = await openConsole(browser, {
        prepare,
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      const { page } = open;
      await page.evaluate(axe.source);
      await page.locator('.timeline-row').first().waitFor();
      expect(await findings(page)).toEqual([]);
      await page.locator('.timeline-row.call').first().click();
      await page.getByText('The signature does not match the request.').waitFor();
      expect(await findings(page)).toEqual([]);
      for (const view of views.slice(1)) {
        await show(page, view);
        await page.locator(`main.view-${view.toLowerCase()} > *`).first().waitFor();
        expect([view, await findings(page)]).toEqual([view, []]);
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect(await findings(page)).toEqual([]);
    },
  );

  it('opens by its link once, removes the token from the address, and keeps the session', async () => {
    await using open = await openConsole(browser);
    const { page, link } = open;
    expect(page.url()).not.toContain('token');
    await page.reload();
    await page.locator('.views').waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe('');
    const other = await browser.newContext();
    const stranger = await other.newPage();
    await stranger.goto(link);
    expect(await stranger.getByRole('alert').textContent()).toContain('used before');
    await other.close();
  });

  it('stays fluid with 10,000 entries, of which it renders the visible ones', async () => {
    await using open = await openConsole(browser, {
      viewport: { width: 1280, height: 800 },
      prepare({ journal }) {
        for (let at = 0; at < 10_000; at += 1) journal.add(callEntry(at));
      },
    });
    const { page, simulator } = open;
    const rows = page.locator('.timeline-row');
    await expect.poll(() => rows.count()).toBeGreaterThan(5);
    await page.getByText('10,000 entries').waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await rows.first().focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-posinset')))
      .toBe('10000');
    expect(await rows.count()).toBeLessThan(60);
    // The selected row stays where it is while entries arrive.
    const index = (): Promise<string | null> =>
      page.locator('.timeline-row:focus').getAttribute('aria-posinset');
    for (let count = 0; count < 3; count += 1) {
      const before = await index();
      await page.keyboard.press('PageUp');
      // The focus follows the selection after the next frame.
      await expect.poll(index).not.toBe(before);
    }
    const focused = (): Promise<string | undefined> =>
      page.evaluate(() => document.activeElement?.textContent ?? undefined);
    const text = await focused();
    const position = (): Promise<number | undefined> =>
      page.evaluate(() => document.activeElement?.getBoundingClientRect().top);
    const top = await position();
    const before = await index();
    simulator.journal.add(deliveryEntry(20_000, 'parcelLost', '{}'));
    await expect.poll(index).toBe(String(Number(before) + 1));
    expect(await position()).toBe(top);
    expect(await focused()).toBe(text);
  });

  it('is operated by the keyboard alone', async () => {
    await using open = await openConsole(browser, { prepare });
    const { page, simulator } = open;
    await page.locator('.timeline-row').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const selected = page.locator('.timeline-row[aria-selected="true"]');
    expect(await selected.getAttribute('aria-posinset')).toBe('2');
    await page.getByRole('heading', { name: 'parcelDelivered' }).waitFor();
    await page.keyboard.press('r');
    await expect.poll(() => simulator.triggered.length).toBe(1);
    await page.keyboard.press('e');
    await page.getByRole('option', { name: /the delivery/u }).waitFor({ state: 'attached' });
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Faults' }).waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.type('nothing is like this');
    await page.getByText('0 entries').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it.each([360, 1280])('keeps the focus at %i pixels', async (width) => {
    await using open = await openConsole(browser, { prepare, viewport: { width, height: 800 } });
    const { page } = open;
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute('aria-posinset') ?? activeElement?.className;
      });
    await page.locator('.timeline-row').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('2');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('detail');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('2');
    await page.keyboard.press('2');
    await page.getByText('"p-1"').waitFor();
    await page.getByRole('textbox', { name: 'Payload of parcelDelivered' }).focus();
    const editor = page.locator('.json-editor');
    expect(await editor.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe(
      'solid',
    );
    await page.keyboard.press('Tab');
    await expect.poll(focused).not.toBe('json-editor');
  });

  it('tells a delivery that failed from another with the same status, and leaves room for its name', async () => {
    await using open = await openConsole(browser, {
      prepare({ journal }) {
        journal.add({
          ...deliveryEntry(0, 'parcelDelivered', '{}'),
          isAcknowledged: false,
          faults: ['lost-acknowledgement', 'wrong-signature', 'stale-timestamp'],
        });
        journal.add(deliveryEntry(1, 'parcelLost', '{}'));
      },
    });
    const { page } = open;
    const row = page.locator('.timeline-row');
    await row.nth(1).waitFor();
    expect(await row.locator('.row-status').allTextContents()).toEqual(['200', '✕ 200']);
    expect(await row.getByRole('img', { name: 'failed' }).count()).toBe(1);
    expect(await row.locator('.fault').allTextContents()).toEqual([
      'lost-acknowledgement, wrong-signature, stale-timestamp',
    ]);
    expect(
      await row
        .nth(1)
        .locator('b')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBe(0);
  });

  it('has the figures of its charts as a table', async () => {
    await using open = await openConsole(browser, {
      prepare({ journal }) {
        journal.add(callEntry(0));
        journal.add(deliveryEntry(10, 'parcelLost', '{}'));
        journal.add(deliveryEntry(60_000, 'parcelLost', '{}'));
      },
    });
    const { page } = open;
    await page.getByText('3 entries').waitFor();
    await page.keyboard.press('5');
    await page.getByText('As a table').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('main details td').allTextContents()).toEqual([
      '1',
      '1',
      '8.0 ms',
      '8.0 ms',
      '1',
      '0',
      '8.0 ms',
      '8.0 ms',
    ]);
  });

  it('filters, and shows new entries as they happen', async () => {
    await using open = await openConsole(browser, { prepare });
    const { page, simulator } = open;
    await page.getByText('61 entries').waitFor();
    await page.getByLabel('Type').selectOption('delivery');
    await page.getByText('30 entries').waitFor();
    simulator.journal.add(deliveryEntry(9, 'parcelLost', '{}'));
    simulator.journal.add(callEntry(9));
    await page.getByText('31 entries').waitFor();
    await page.getByLabel('Name').selectOption('parcelLost');
    await page.getByText('1 entry').waitFor();
    await page.getByLabel('Text in URL').fill('nothing is like this');
    await page.getByText('No entry has what was selected.').waitFor();
    const before = simulator.journal.count();
    await page.getByRole('button', { name: 'Clear' }).click();
    const confirm = page.getByRole('button', { name: /the filters hide/u });
    await confirm.waitFor();
    expect(simulator.journal.count()).toBe(before);
    await confirm.click();
    await expect.poll(() => simulator.journal.count()).toBe(0);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText('Nothing has happened yet.').waitFor();
  });

  it('shows violations while the reader types, and sends with faults and the override', async () => {
    await using open = await openConsole(browser);
    const { page, simulator, complaints } = open;
    await show(page, 'Send');
    const editor = page.getByRole('textbox', { name: 'Payload of parcelDelivered' });
    await page.getByText('"p-1"').waitFor();
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{"parcel": "p-5", "weight": "x"}');
    await page.getByText('must be a number').waitFor();
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('"x"');
    await page.getByRole('textbox', { name: 'parcel', exact: true }).fill('p-6');
    await page.getByLabel('duplicate').check();
    await page.getByLabel('Send it although').check();
    await page.getByRole('button', { name: 'Send parcelDelivered' }).click();
    await page.getByRole('heading', { name: 'parcelDelivered' }).waitFor();
    expect(simulator.triggered).toEqual([
      {
        kind: 'parcelDelivered',
        options: {
          rawBody: '{"parcel": "p-5", "weight": "x"}',
          parameters: { parcel: 'p-6' },
          faults: ['duplicate'],
          allowInvalid: true,
        },
      },
    ]);
    expect(complaints).toEqual([]);
  });

  it('edits a delivery and sends it, with the parameters of its URL', async () => {
    await using open = await openConsole(browser, { prepare });
    const { page, simulator } = open;
    await page.locator('.timeline-row.delivery').first().click();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    const parameter = page.getByRole('textbox', { name: 'parcel', exact: true });
    await expect.poll(() => parameter.inputValue()).toBe('p-1');
    await page.getByRole('button', { name: 'Send parcelDelivered' }).click();
    await expect
      .poll(() => simulator.triggered[0]?.options.rawBody)
      .toBe('{"parcel":"p","weight":"x"}');
  });

  it('shows and sends amounts with all their digits', async () => {
    const body = '{"parcel":"p","amount":10000000000000000.01,"fee":1.10}';
    await using open = await openConsole(browser, {
      prepare: ({ journal }) => void journal.add(deliveryEntry(0, 'parcelDelivered', body)),
    });
    const { page, simulator } = open;
    await page.locator('.timeline-row.delivery').first().click();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    await page.getByText('10000000000000000.01').waitFor();
    await page.getByRole('textbox', { name: 'Payload of parcelDelivered' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    await page.getByRole('button', { name: 'Send parcelDelivered' }).click();
    await expect
      .poll(() => simulator.triggered[0]?.options.rawBody)
      .toBe('{\n  "parcel": "p",\n  "amount": 10000000000000000.01,\n  "fee": 1.10\n} ');
  });

  it('sets faults, advances the clock, and chooses a receiver', async () => {
    await using open = await openConsole(browser);
    const { page, simulator } = open;
    await show(page, 'Controls');
    await page.getByRole('switch', { name: 'burst' }).check();
    await expect.poll(() => simulator.faults).toEqual({ burst: 0.1 });
    await page.getByLabel('Rate of burst in percent').fill('40');
    await expect.poll(() => simulator.faults).toEqual({ burst: 0.4 });
    await page.getByRole('button', { name: 'No faults' }).click();
    await expect.poll(() => simulator.faults).toEqual({});
    const before = simulator.clock.now();
    await page.getByRole('button', { name: '+ 1h' }).click();
    await expect.poll(() => simulator.clock.now()).toBe(before + 3_600_000);
    await page.getByRole('button', { name: 'Revoke all tokens' }).click();
    await expect.poll(() => simulator.revoked).toBe(1);
    await page.getByLabel('Base address').selectOption('http://127.0.0.1:3001/');
    await expect.poll(() => simulator.to).toBe('http://127.0.0.1:3001/');
  });

  it('runs a workflow, with its current step, and proceeds', async () => {
    await using open = await openConsole(browser);
    const { page, simulator } = open;
    await show(page, 'Workflows');
    await page.getByRole('button', { name: 'Run ship' }).click();
    const current = page.locator('[aria-current="step"]');
    await expect.poll(() => current.textContent()).toContain('pack');
    await page.getByRole('button', { name: 'Proceed' }).click();
    await expect.poll(() => current.textContent()).toContain('arrive');
    expect(simulator.proceeded).toEqual(['run-1']);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('failed', { exact: true }).waitFor();
  });

  it('shows received text as text', async () => {
    const hostile = `<img src=x onerror="alert(1)"></script><script>alert(2)</script>\u202E`;
    await using open = await openConsole(browser, {
      prepare({ journal }) {
        const call = callEntry(1);
        journal.add({
          ...call,
          operation: hostile,
          request: {
            ...call.request,
            method: hostile,
            url: `http://127.0.0.1/${hostile}`,
            headers: [[hostile, hostile]],
            body: { encoding: 'utf-8', text: hostile, size: 10 },
          },
          steps: [{ name: 'route', outcome: 'failed', message: hostile, code: hostile }],
        });
      },
    });
    const { page, complaints, foreign } = open;
    await page.locator('.timeline-row').click();
    await page.getByRole('heading', { name: '<img' }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.locator('main').textContent()).not.toContain('\u202E');
    expect([...complaints, ...foreign]).toEqual([]);
  });

  it('exports by its buttons', async () => {
    await using open = await openConsole(browser, { prepare });
    for (const [name, file] of [
      ['HAR', 'simulator.har'],
      ['JSON lines', 'simulator.jsonl'],
    ] as const) {
      const link = open.page.getByRole('link', { name });
      const [download] = await Promise.all([open.page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toBe(file);
      expect(await download.failure()).toBeNull();
    }
  });
});

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeContract } from '../../../generator/contract/complete.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { hostileTexts } from '../../hostile/hostile-texts.ts';
import { executable, openPage, startBrowser } from './browser.ts';
import { contractOf, emitPage, ownContract, replaceTexts } from './emit-page.ts';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

describe.runIf(executable !== undefined)('the page in Chromium', () => {
  let browser: Browser;
  let text: string;
  beforeAll(async () => {
    browser = await startBrowser();
    text = await emitPage(await ownContract());
  });
  afterAll(async () => {
    await browser.close();
  });

  const widths = [360, 768, 1440];
  const themes = ['light', 'dark'] as const;
  const looks = widths.flatMap((width) => themes.map((colorScheme) => ({ width, colorScheme })));

  it.each(looks)(
    'fits $width pixels in $colorScheme, without a complaint, a request or a shift',
    async ({ width, colorScheme }) => {
      await using open = await openPage(browser, text, {
        viewport: { width, height: 900 },
        colorScheme,
      });
      const { page, complaints, requests } = open;
      const shift = await page.evaluate(
        async () =>
          await new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries())
                sum += (entry as { value?: number } & PerformanceEntry).value ?? 0;
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 500);
          }),
      );
      expect(shift).toBe(0);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      for (const box of await page.locator('.sequence .scroll').all())
        expect(
          await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
        ).toBe(0);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([]);
    },
  );

  it('fits a phone with words that are longer than its lines', async () => {
    const word = `https://service.example/${'a'.repeat(120)}`;
    const long = await emitPage(replaceTexts(await ownContract(), () => word));
    await using open = await openPage(browser, long, { viewport: { width: 360, height: 900 } });
    expect(
      await open.page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        return document.documentElement.scrollWidth - innerWidth;
      }),
    ).toBeLessThanOrEqual(0);
  });

  // What stands where changes with the width, what it looks like with the theme: all is seen in these.
  const audited = looks.filter(
    ({ width, colorScheme }) => width === 1440 || (width === 360 && colorScheme === 'dark'),
  );
  it.each(audited)(
    'has nothing for axe to find at $width pixels in $colorScheme',
    async ({ width, colorScheme }) => {
      await using open = await openPage(browser, text, {
        viewport: { width, height: 900 },
        colorScheme,
        bypassCSP: true,
      });
      const { page } = open;
      await page.evaluate(axe.source);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const violations = await page.evaluate(
        async () =>
          (
            await (
              globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } }
            ).axe.run()
          ).violations,
      );
      expect(
        violations.map(({ id, nodes }) => [
          id,
          nodes.length,
          nodes[0]?.html,
          nodes[0]?.failureSummary,
        ]),
      ).toEqual([]);
    },
  );

  it('goes to what a link names, also where that is closed', async () => {
    await using open = await openPage(browser, text, { hash: '#schema-CashoutPix.Status' });
    const { page } = open;
    const member = page.locator('[id="schema-CashoutPix.Status"]');
    await expect.poll(() => member.isVisible()).toBe(true);
    expect(
      await member.evaluate((element) => element.getBoundingClientRect().top < innerHeight),
    ).toBe(true);
    await page.locator('nav a[href="#notification-charge"]').click();
    expect(new URL(page.url()).hash).toBe('#notification-charge');
    await expect
      .poll(() =>
        page
          .locator('#notification-charge')
          .evaluate((element) => Math.abs(element.getBoundingClientRect().top) < 200),
      )
      .toBe(true);
  });

  const current = (page: Page): Promise<readonly (string | null)[]> =>
    page
      .locator('nav [aria-current]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));

  it.each(['#call-issueToken', '#notification-charge', '#notification-cashoutReversal'])(
    'marks the entry of a deep link in its contents, and follows the reader from there: %s',
    async (hash) => {
      await using open = await openPage(browser, text, {
        hash,
        viewport: { width: 1440, height: 900 },
      });
      const { page } = open;
      await expect.poll(() => current(page)).toEqual([hash]);
      await page.mouse.move(900, 500);
      await page.mouse.wheel(0, -100_000);
      await expect.poll(() => current(page)).toEqual(['#overview']);
    },
  );

  it('marks the entry of a deep link where the page ends before it reaches the top', async () => {
    const contract = await contractOf({ asyncapi: 'test/golden/weather-stations/asyncapi.yaml' });
    const last = contract.notifications.at(-1)?.id ?? '';
    await using open = await openPage(browser, await emitPage(contract, ['reference']), {
      hash: `#notification-${last}`,
      viewport: { width: 1440, height: 8000 },
    });
    await expect.poll(() => current(open.page)).toEqual([`#notification-${last}`]);
  });

  it('opens the group of a deep link, in a large contract too', async () => {
    const contract = await ownContract();
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('There is no operation.');
    const operations = Array.from({ length: 120 }, (_, index) => ({
      ...operation,
      id: `call${index}`,
      name: `call${index}`,
      tags: [`group ${index % 3}`],
    }));
    await using open = await openPage(
      browser,
      await emitPage(completeContract({ ...contract, operations }), ['reference']),
      { hash: '#call-call71', viewport: { width: 1440, height: 900 } },
    );
    const { page, complaints } = open;
    await expect.poll(() => page.locator('#call-call71 .entry-body').isVisible()).toBe(true);
    await expect.poll(() => current(page)).toEqual(['#call-call71']);
    const link = page.locator('nav a[href="#call-call71"]');
    await expect.poll(() => link.isVisible()).toBe(true);
    expect(
      await link.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    ).toBe(true);
    // Another group of the contents opens by the keyboard alone.
    const other = page.locator('nav details.nav-group summary').first();
    await other.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('nav a[href="#call-call0"]').isVisible()).toBe(true);
    await page.locator('nav a[href="#call-call0"]').click();
    await expect.poll(() => page.locator('#call-call0 .entry-body').isVisible()).toBe(true);
    await expect.poll(() => current(page)).toEqual(['#call-call0']);
    expect(complaints).toEqual([]);
  });

  it('copies the code of every figure, whichever button is clicked', async () => {
    await using open = await openPage(browser, text, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, complaints } = open;
    await expect
      .poll(() => page.locator('[data-output]').first().textContent())
      .toContain('x-hmac-signature: ');
    const results = await page.evaluate(async () => {
      const copied: { readonly code: string; readonly clipboard: string; readonly word: string }[] =
        [];
      for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
        await navigator.clipboard.writeText('nothing was copied');
        button.click();
        for (let wait = 0; wait < 100 && button.textContent === 'Copy'; wait += 1)
          await new Promise((resolve) => setTimeout(resolve, 5));
        copied.push({
          code: button.closest('figure')?.querySelector('pre')?.textContent ?? '',
          clipboard: await navigator.clipboard.readText(),
          word: button.textContent,
        });
      }
      return copied;
    });
    expect(results.length).toBeGreaterThan(100);
    for (const { code, clipboard, word } of results) {
      expect(code).not.toBe('');
      expect(clipboard).toBe(code);
      expect(word).toBe('Copied');
    }
    // The other buttons have tests of their own.
    expect(
      await page
        .locator('button:not(.copy)')
        .evaluateAll((buttons) => [...new Set(buttons.map(({ className }) => className))]),
    ).toEqual(['menu', 'theme']);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['cash', 'notification'],
    ['issue', 'call'],
  ])(
    'lists calls and notifications ahead of schemas that match as well: %s',
    async (word, kind) => {
      const contract = await ownContract();
      const schemas = contract.schemas.map((schema) =>
        schema.name === 'Token' ? { ...schema, typeName: 'IssueX' } : schema,
      );
      await using open = await openPage(browser, await emitPage({ ...contract, schemas }));
      const { page } = open;
      await page.locator('#search').fill(word);
      const kinds = page.locator('#found .kind');
      await expect.poll(() => kinds.count()).toBeGreaterThan(1);
      const listed = await kinds.allTextContents();
      expect(listed).toContain('schema');
      expect(listed.lastIndexOf(kind)).toBeLessThan(listed.indexOf('schema'));
    },
  );

  it('shows cURL in every call once it was picked', async () => {
    await using open = await openPage(browser, text);
    const { page } = open;
    const call = page.locator('#call-issueToken');
    await call.locator('select').selectOption({ label: 'cURL' });
    expect(await call.locator('[data-choice] pre:visible').textContent()).toContain('--url');
    // The code of notifications is another choice.
    expect(
      await page.locator('#notification-charge [data-choice] pre:visible').textContent(),
    ).toContain('charge(event)');
  });

  it('leads from a fact to its section, and back', async () => {
    await using open = await openPage(browser, text);
    const { page } = open;
    await page.locator('#notification-charge .about a.source').first().click();
    const section = new URL(page.url()).hash;
    expect(section).toMatch(/^#source-/u);
    await page.locator(`${section} a[href="#notification-charge"]`).click();
    expect(new URL(page.url()).hash).toBe('#notification-charge');
  });

  it('finds by the keyboard alone', async () => {
    await using open = await openPage(browser, text);
    const { page } = open;
    await page.keyboard.press('/');
    await page.keyboard.type('confirmed');
    const options = page.locator('#found [role=option]');
    await expect.poll(() => options.count()).toBeGreaterThan(1);
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    const anchor = await options.nth(1).getAttribute('data-anchor');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe(`#${anchor}`);
    await page.keyboard.press('/');
    await page.keyboard.type('nothing is called this');
    expect(await options.allTextContents()).toEqual([expect.stringContaining('Nothing has')]);
    expect(await page.locator('#search').getAttribute('aria-activedescendant')).toBeNull();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox').isVisible()).toBe(false);
  });

  it('shows found questions as it shows other results, and arrives at a link without an animation', async () => {
    await using open = await openPage(browser, text, { reducedMotion: 'no-preference' });
    const { page } = open;
    await page.keyboard.press('/');
    await page.keyboard.type('charge');
    const looks = await page.locator('[role=option]').evaluateAll((options) =>
      options.map((option) => {
        const { borderTopWidth, borderRadius, paddingTop, scrollMarginTop } =
          getComputedStyle(option);
        const kind = option.querySelector('.kind')?.textContent ?? '';
        return { kind, look: [borderTopWidth, borderRadius, paddingTop, scrollMarginTop].join() };
      }),
    );
    expect(looks.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['notification', 'question']),
    );
    expect(new Set(looks.map(({ look }) => look)).size).toBe(1);
    expect(
      await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior),
    ).toBe('auto');
  });

  it('shows the code of the framework that was picked everywhere', async () => {
    await using open = await openPage(browser, text);
    const { page } = open;
    await page.locator('#notification-charge select').selectOption({ label: 'Fastify' });
    for (const kind of ['charge', 'customer']) {
      const shown = page.locator(`#notification-${kind} [data-choice] pre:visible`);
      expect(await shown.textContent()).toContain('createWebhooksPlugin');
      expect(await shown.textContent()).toContain(`${kind}(event)`);
    }
  });

  it('keeps the theme that was chosen', async () => {
    await using open = await openPage(browser, text, { colorScheme: 'light' });
    const { page } = open;
    const background = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    const button = page.getByRole('button', { name: /Colours/u });
    await button.click();
    await button.click();
    expect(await button.getAttribute('aria-label')).toBe('Colours: dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await background()).toBe(dark);
  });

  it('opens and closes its contents on a phone', async () => {
    await using open = await openPage(browser, text, { viewport: { width: 380, height: 800 } });
    const { page } = open;
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    expect(await contents.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await contents.getByRole('link').last().focus();
    await page.keyboard.press('Tab');
    // What has the focus now is behind the contents while they are open.
    expect(await page.locator('main :focus').count()).toBe(1);
    expect(await contents.isVisible()).toBe(false);
  });

  it('tells facts from questions on a phone, where the table of sections has no heads', async () => {
    await using open = await openPage(browser, text, { viewport: { width: 380, height: 800 } });
    const words = await open.page.evaluate(() =>
      Array.from(document.querySelectorAll('.coverage tbody td:not(:empty)'), (cell) => [
        cell.className,
        getComputedStyle(cell, '::before').content,
      ]),
    );
    expect(words.filter(([name]) => name === 'count').length).toBeGreaterThan(5);
    for (const [name, word] of words)
      if (name !== 'facts') expect(word).toBe(name === 'count' ? '"Facts: "' : '"Questions: "');
  });

  it.each([
    ['as assumed', {}, {}],
    ['a body that is more than ASCII', { body: '{"name":"São João ☃ 😀"}' }, {}],
    [
      'seconds and hexadecimal keys',
      { key: '00ff10' },
      { 'timestamp-format': 'unix-seconds', 'signing-key-encoding': 'hex' },
    ],
    [
      'the alphabet for URLs',
      { url: 'https://service.example/a/b?c=d' },
      { 'signature-encoding': 'base64url', 'signed-path': 'path-and-query' },
    ],
  ])(
    'computes what OpenSSL computes: %s',
    async (_, fields: Record<string, string>, answers: Record<string, string>) => {
      await using open = await openPage(browser, text);
      const { page, complaints } = open;
      const calculator = page.locator('[data-calculator]').first();
      const output = calculator.locator('[data-output]');
      await expect.poll(() => output.textContent()).toContain('x-hmac-signature');
      for (const [name, choice] of Object.entries(answers))
        await calculator.locator(`[data-question="${name}"]`).selectOption(choice);
      for (const [name, value] of Object.entries(fields))
        await calculator.locator(`[name="${name}"]`).fill(value);
      await expect.poll(() => calculator.locator('[data-problem]').isVisible()).toBe(false);
      const command = (await calculator.locator('[data-openssl]').textContent()) ?? '';
      const expected = execFileSync('bash', ['-c', command], { encoding: 'utf8' });
      await expect.poll(() => output.textContent()).toContain(`x-hmac-signature: ${expected}`);
      // The command is the page's own; what it signs is put together here once more.
      const value = async (name: string): Promise<string> =>
        await calculator.locator(`[name="${name}"]`).inputValue();
      const url = new URL(await value('url'));
      const path = answers['signed-path'] === undefined ? url.pathname : url.pathname + url.search;
      const signed =
        (await value('header apikey')) +
        (await value('header x-timestamp')) +
        (await value('body')) +
        path;
      const [, input = ''] = /printf %s '([^']*)'/u.exec(command) ?? [];
      expect(Buffer.from(input, 'base64').toString()).toBe(signed);
      expect(await calculator.locator('[data-bytes]').textContent()).toBe(signed);
      expect(complaints).toEqual([]);
    },
  );

  it('says what keeps a signature from being computed', async () => {
    await using open = await openPage(browser, text);
    const { page } = open;
    const calculator = page.locator('[data-calculator]').first();
    await calculator.locator('[name="key"]').fill('');
    await expect.poll(() => calculator.locator('[data-problem]').textContent()).toContain('key');
    await calculator.locator('[name="key"]').fill('key');
    await expect.poll(() => calculator.locator('[data-problem]').isVisible()).toBe(false);
  });

  it('works as a file on the disk', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'index.html');
    await writeFile(file, text);
    expect(await readFile(file, 'utf8')).toBe(text);
    const page = await browser.newPage();
    try {
      await page.goto(pathToFileURL(file).href);
      await expect
        .poll(() => page.locator('[data-output]').first().textContent())
        .toContain('x-hmac-signature: ');
    } finally {
      await page.close();
    }
  });

  it('prints everything that it holds, dark on light whatever the reader has chosen, and closes again', async () => {
    await using open = await openPage(browser, text, { colorScheme: 'dark' });
    const { page, complaints } = open;
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark';
    });
    const closed = (): Promise<number> => page.locator('main details:not([open])').count();
    const before = await closed();
    expect(before).toBeGreaterThan(20);
    await page.evaluate(() => {
      addEventListener('beforeprint', () => {
        const open = document.querySelectorAll('main details[open]').length;
        document.documentElement.dataset['printed'] = String(open);
      });
    });
    await page.pdf();
    expect(Number(await page.locator('html').getAttribute('data-printed'))).toBeGreaterThan(before);
    expect(await closed()).toBe(before);

    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 900 });
    expect(
      await page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.documentElement);
        return { backgroundColor, color };
      }),
    ).toEqual({ backgroundColor: 'rgb(252, 252, 251)', color: 'rgb(28, 30, 33)' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await closed()).toBeLessThan(before);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await closed()).toBe(before);
    expect(complaints).toEqual([]);
  });

  it('runs nothing that a hostile contract says, in the text of the page and in its search', async () => {
    const contract = replaceTexts(
      await ownContract(),
      (count) => hostileTexts[count % hostileTexts.length] ?? '',
    );
    await using open = await openPage(browser, await emitPage(contract));
    const { page, complaints, requests } = open;
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await page.keyboard.press('/');
    await page.keyboard.type('pwned');
    await expect.poll(() => page.locator('#found [role=option]').count()).toBeGreaterThan(10);
    const shown = await page.evaluate(() => [
      document.body.innerText,
      ...Array.from(document.querySelectorAll('input, textarea'), (field) =>
        'value' in field ? String(field.value) : '',
      ),
    ]);
    expect(shown.join('\n')).not.toMatch(/\p{Bidi_Control}/u);
    expect(await page.locator('script:not([type])').count()).toBe(2);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('makes what a large contract holds when it is opened', async () => {
    const contract = await ownContract();
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('There is no operation.');
    const operations = Array.from({ length: 300 }, (_, index) => ({
      ...operation,
      id: `${operation.id}${index}`,
      name: `${operation.name}${index}`,
    }));
    await using open = await openPage(
      browser,
      await emitPage({ ...contract, operations }, ['reference']),
    );
    const { page, complaints } = open;
    const entry = page.locator('#call-issueToken250');
    expect(await entry.locator('.entry-body').count()).toBe(0);
    await page.evaluate(() => {
      location.hash = 'call-issueToken250';
    });
    await expect.poll(() => entry.locator('.entry-body').isVisible()).toBe(true);
    // What its body holds is written once, in the entry of its schema.
    await expect
      .poll(() => entry.locator('.tree .row > code:first-child').allTextContents())
      .toContain('client_id');
    await page.evaluate(() => {
      location.hash = 'schema-CashoutPix.Status';
    });
    await expect.poll(() => page.locator('[id="schema-CashoutPix.Status"]').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });
});

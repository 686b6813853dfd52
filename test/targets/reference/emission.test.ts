import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { contractOf, emitPage, ownContract, replaceTexts } from './emit-page.ts';

const own = await ownContract();
const page = await emitPage(own);

/** Each sort of tag with the names of its attributes; whatever stands in texts and values is left out. */
function tagsOf(text: string): ReadonlySet<string> {
  const markup = text.replaceAll(/<(script|style)\b([^>]*)>[^]*?<\/\1>/gu, '<$1$2></$1>');
  const tags = markup.match(/<[^\s<][^<>]*>/gu) ?? [];
  return new Set(tags.map((tag) => tag.replaceAll(/="[^"]*"/gu, '=""').replaceAll(/\s+/gu, ' ')));
}

function scriptsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/<script\b[^>]*>([^]*?)<\/script>/gu), ([, code = '']) => code);
}

describe('the page of this contract', () => {
  it('has every call, notification, schema, question and section, each at a place of its own', () => {
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/gu), ([, id = '']) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const [place, names] of [
      ['call', own.operations.map(({ id }) => id)],
      ['notification', own.notifications.map(({ id }) => id)],
      ['schema', own.schemas.map(({ name }) => name)],
      ['question', own.unstated.map(({ id }) => id)],
      ['security', own.security.map(({ id }) => id)],
    ] as const) {
      expect(ids).toEqual(expect.arrayContaining(names.map((name) => `${place}-${name}`)));
    }
  });

  it('leads nowhere that it does not have', () => {
    const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/gu), ([, id]) => id));
    const links = Array.from(page.matchAll(/ href="#([^"]*)"/gu), ([, id = '']) => id);
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
    expect(page.match(/ href="(?!#)[^"]*"/gu)).toBeNull();
  });

  it('shows every example, and code for every framework', () => {
    for (const { examples, invalidExamples, name } of own.notifications) {
      for (const example of [...examples, ...invalidExamples])
        expect(page.includes(`<b>${example.name}</b`), `${name} ${example.name}`).toBe(true);
    }
    for (const maker of [
      'createWebhooksRouter',
      'createWebhooksPlugin',
      'WebhooksModule',
      'createWebhooksWorker',
    ])
      expect(page).toContain(maker);
  });

  it('cites every section that the documents cite', () => {
    const cited = JSON.stringify(own.documents).matchAll(/"x-source":("[^"]*"|\[[^\]]*\])/gu);
    for (const [, list = ''] of cited) {
      for (const section of [JSON.parse(list) as string | string[]].flat())
        expect(page).toContain(`id="source-${section.replaceAll('.', '-')}"`);
    }
  });

  it('is the same every time', async () => {
    expect(await emitPage(structuredClone(own))).toBe(page);
  });

  it('weighs less than 400 KB', () => {
    expect(gzipSync(page).length).toBeLessThan(400_000);
  });

  it('lets nothing in from outside, no script but its own, and no handler in its markup', () => {
    const [, policy = ''] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/u.exec(page) ?? [];
    const plain = policy.replaceAll('&#39;', "'");
    expect(plain).toMatch(/^default-src 'none'; style-src 'sha256-[^;]*; script-src 'sha256-/u);
    expect(plain).not.toMatch(/unsafe|https?:|\*/u);
    expect([...tagsOf(page)].filter((tag) => / (?:on\w+|style|src)=/u.test(tag))).toEqual([]);
  });
});

describe('hostile text', () => {
  it('adds no tag and no attribute, wherever it stands in a contract', async () => {
    const known = tagsOf(await emitPage(replaceTexts(own, () => 'plain `code`\n\nplain')));
    // Every text comes to stand in many places, and in others with every turn.
    for (const turn of [0, 7, 19, 31]) {
      const emitted = await emitPage(
        replaceTexts(own, (count) => hostileTexts[(count + turn) % hostileTexts.length] ?? ''),
      );
      expect([...tagsOf(emitted)].filter((tag) => !known.has(tag))).toEqual([]);
      expect(scriptsOf(emitted).length).toBe(scriptsOf(page).length);
    }
  });

  it('stays data in the scripts that hold data', async () => {
    const text = '</script><script>pwned()</script>\u2028<!--';
    const emitted = await emitPage(replaceTexts(own, () => text));
    const findable = scriptsOf(emitted).find((code) => code.startsWith('[[')) ?? '';
    expect(findable).not.toMatch(/[<\u2028]/u);
    expect(JSON.stringify(JSON.parse(findable))).toContain('</script><script>pwned()');
    expect(scriptsOf(emitted).at(-1)).toBe(scriptsOf(page).at(-1));
  });

  it('becomes a name of a place only by letters and digits', async () => {
    const odd = '"><img src=x onerror=pwned()>';
    const renamed: Contract = {
      ...own,
      unstated: own.unstated.map((entry) => ({ ...entry, id: `${odd}${entry.id}` })),
    };
    const emitted = await emitPage(renamed);
    expect(emitted).not.toContain('<img');
    expect(emitted).toContain('id="question-img-src-x-onerror-pwned-');
  });
});

describe('other contracts', () => {
  it.each([
    ['calls alone', { openapi: 'spec/openapi.yaml' }],
    ['calls and webhooks of one document', { openapi: 'test/golden/library-loans/openapi.yaml' }],
    ['notifications alone', { asyncapi: 'test/golden/weather-stations/asyncapi.yaml' }],
    [
      'neither a signature nor a source document',
      { openapi: 'test/golden/parcel-tracking/openapi.yaml' },
    ],
  ])('have a page: %s', async (_, files) => {
    const contract = await contractOf(files);
    const emitted = await emitPage(contract);
    for (const { name } of contract.operations) expect(emitted).toContain(`>${name}<`);
    for (const { name } of contract.notifications) expect(emitted).toContain(`>${name}<`);
  });

  it('name no package that is not generated', async () => {
    const emitted = await emitPage(own, ['reference']);
    expect(emitted).not.toContain('@trade/');
  });

  it('of hundreds of calls come closed, and are made when they are opened', async () => {
    const [operation] = own.operations;
    if (operation === undefined) throw new Error('There is no operation.');
    const operations = Array.from({ length: 300 }, (_, index) => ({
      ...operation,
      id: `${operation.id}${index}`,
      name: `${operation.name}${index}`,
    }));
    const emitted = await emitPage({ ...own, operations, security: [] });
    expect(emitted).not.toMatch(/<details[^>]*class="entry call"[^>]* open/u);
    expect(emitted.match(/<script type="text\/html">/gu)?.length).toBeGreaterThanOrEqual(300);
  });
});

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import { expectRecorded } from '../../figures/expect-recorded.ts';
import { hostileTexts } from '../../hostile/hostile-texts.ts';
import { shopDocument } from '../../cli/shop-contract.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { readContract } from '../../targets/client/emit-client.ts';
import { contractOf, emitPage, ownContract, replaceTexts } from './emit-page.ts';

const repositoryContract = await ownContract();
const page = await emitPage(repositoryContract);

/** Returns each kind of tag with the names of its attributes, without texts and values. */
function tagsOf(text: string): ReadonlySet<string> {
  const markup = text.replaceAll(/<(script|style)\b([^>]*)>[^]*?<\/\1>/gu, '<$1$2></$1>');
  const tags = markup.match(/<[^\s<][^<>]*>/gu) ?? [];
  return new Set(tags.map((tag) => tag.replaceAll(/="[^"]*"/gu, '=""').replaceAll(/\s+/gu, ' ')));
}

function scriptsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/<script\b[^>]*>([^]*?)<\/script>/gu), ([, code = '']) => code);
}

/** The number of elements of a page, those of closed entries included. */
function elementsIn(text: string): number {
  return text.match(/<[a-z]/gu)?.length ?? 0;
}

/** A contract with a number of calls, each with a body and two answers. */
function shopOf(calls: number): string {
  const paths = Array.from(
    { length: calls },
    (_, index) => `
  /orders/things${index}:
    post:
      operationId: addThing${index}
      summary: Adds a thing.
      description: A thing is added.
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses:
        '201': { description: It was added., content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
        '400': { description: It was not., content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }`,
  ).join('');
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
servers: [{ url: 'https://shop.example' }]
security: [{ key: [] }]
paths:${paths}
components:
  securitySchemes: { key: { type: apiKey, in: header, name: x-key } }
  schemas:
    Thing: { type: object, properties: { id: { type: string } } }
    Problem: { type: object, properties: { code: { type: string } } }
`;
}

/** The members of a contract that states nothing about authentication. */
const withoutSecurity: Pick<Contract, 'security' | 'authentication'> = {
  security: [],
  authentication: {
    proofs: [],
    inBody: [],
    isNone: false,
    isRequired: false,
    isUnstated: false,
    unstated: [],
    declared: [],
  },
};

describe('the page of this contract', () => {
  it('has every call, notification, schema, question and section, each at a place of its own', () => {
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/gu), ([, id = '']) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const [place, names] of [
      ['call', repositoryContract.operations.map(({ id }) => id)],
      ['notification', repositoryContract.notifications.map(({ id }) => id)],
      ['schema', repositoryContract.schemas.map(({ name }) => name)],
      ['question', repositoryContract.unstated.map(({ id }) => id)],
      ['security', repositoryContract.security.map(({ id }) => id)],
      ['workflow', repositoryContract.workflows.map(({ id }) => `flows-${id}`)],
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
    expect(repositoryContract.notifications).not.toEqual([]);
    for (const { examples, invalidExamples, name } of repositoryContract.notifications) {
      for (const example of [...examples, ...invalidExamples])
        expect(page.includes(`<summary>${example.name}`), `${name} ${example.name}`).toBe(true);
    }
    for (const maker of [
      'createWebhooksRouter',
      'createWebhooksPlugin',
      'WebhooksModule',
      'createWebhooksHandler',
    ])
      expect(page).toContain(maker);
  });

  it('cites every section that the documents cite', () => {
    const cited = JSON.stringify(repositoryContract.documents).matchAll(
      /"x-source":("[^"]*"|\[[^\]]*\])/gu,
    );
    for (const [, list = ''] of cited) {
      for (const section of [JSON.parse(list) as string | string[]].flat())
        expect(page).toContain(`id="source-${section.replaceAll('.', '-')}"`);
    }
  });

  it('lists every citation of a section that only the documents cite', async () => {
    const { openapi = {} } = repositoryContract.documents;
    const cited = { x: { 'x-source': '99.1' }, y: { 'x-source': ['99.1'] } };
    const documents = {
      ...repositoryContract.documents,
      openapi: { ...openapi, 'x-cited': cited },
    };
    const emitted = await emitPage({ ...repositoryContract, documents });
    const row = textBetween(emitted, 'id="source-99-1"', '</tr>');
    expect(row).toContain('§99.1 2');
    expect(row).toContain('openapi x-cited x');
    expect(row).toContain('openapi x-cited y');
  });

  it('shows what cites a section that questions cite, too', () => {
    for (const section of ['1.4', '1.6', '4.2', '6.1', '8.2']) {
      const id = `id="source-${section.replace('.', '-')}"`;
      expect(textBetween(page, id, '</tr>')).not.toContain(`§${section} 0`);
    }
    // Nothing but a question cites it.
    expect(textBetween(page, 'id="source-5-8"', '</tr>')).toContain('§5.8 0');
  });

  it('shows the variant of an example by a condition on integers', async () => {
    const [notification] = repositoryContract.notifications;
    const payload = repositoryContract.schemas.find(({ name }) => name === notification?.payload);
    if (notification === undefined || payload === undefined) throw new Error('no notification');
    const when = [{ expression: '$request.body#/count', schema: { type: ['integer', 'null'] } }];
    const variant = {
      kind: 'variant' as const,
      name: 'counted',
      schema: payload.name,
      pointer: payload.pointer,
      source: [],
      when,
      rename: {},
    };
    const example = { ...notification.examples[0], name: 'three', value: { count: 3 } } as const;
    const emitted = await emitPage({
      ...repositoryContract,
      schemas: repositoryContract.schemas.map((schema) =>
        schema === payload ? { ...schema, variants: [variant] } : schema,
      ),
      notifications: [
        { ...notification, examples: [example as (typeof notification.examples)[0]] },
      ],
    });
    expect(emitted).toContain('<span class="tag form">form counted</span>');
  });

  it('is the same every time', async () => {
    expect(await emitPage(structuredClone(repositoryContract))).toBe(page);
  });

  it('has the recorded size', async () => {
    await expectRecorded('reference-page', { 'bytes, gzipped': gzipSync(page).length });
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

/** The text of a page between two places, without markup. */
function textBetween(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const markup = text.slice(start, text.indexOf(to, start + from.length));
  return markup.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

describe('what the page says', () => {
  it('shows a form as it is sent', async () => {
    const [operation] = repositoryContract.operations;
    const [content] = operation?.requestBody?.content ?? [];
    const [example] = content?.examples ?? [];
    if (operation?.requestBody === undefined || content === undefined || example === undefined)
      throw new Error('There is no example of a form.');
    const value = { client_id: 'a b&c=d', client_secret: 'é+/\u202e' };
    const requestBody = {
      ...operation.requestBody,
      content: [{ ...content, examples: [{ ...example, value }] }],
    };
    const emitted = await emitPage({
      ...repositoryContract,
      operations: [{ ...operation, requestBody }],
    });
    const sent = 'client_id=a+b%26c%3Dd&amp;client_secret=%C3%A9%2B%2F%E2%80%AE';
    expect(emitted).toContain(`<pre tabindex="0" data-language="form">${sent}</pre>`);
    expect(emitted).toContain(`--data-raw &#39;${sent}&#39;`);
    expect(emitted).toContain(`"body":"${sent.replaceAll('&amp;', '&')}"`);
  });

  it('gives each list of examples in a call a heading of its own', () => {
    for (const { id } of repositoryContract.operations) {
      const start = page.indexOf(`id="call-${id}"`);
      const entry = page.slice(start, page.indexOf('</section>', start));
      const titles = Array.from(entry.matchAll(/<h3>([^]*?)<\/h3>/gu), ([, title]) => title);
      expect(titles).toEqual([...new Set(titles)]);
      expect(titles.filter((title) => title?.includes('Example')).length).toBeGreaterThan(1);
    }
  });

  it('counts the questions in the words of the ledger', () => {
    const settled = repositoryContract.unstated.filter(
      (entry) => entry.settled !== undefined,
    ).length;
    const assumed = repositoryContract.unstated.filter(
      (entry) => entry.settled === undefined && entry.assumed !== undefined,
    ).length;
    const open = repositoryContract.unstated.length - settled - assumed;
    expect(assumed).toBeGreaterThan(0);
    expect(open).toBeGreaterThan(0);
    const overview = textBetween(page, '<p class="figures-row">', '</p>');
    expect(overview).toContain(`${open} open questions ${assumed} assumed`);
    const ledger = textBetween(page, '<section id="questions"', '</section>');
    expect(ledger).toContain(`Questions ${repositoryContract.unstated.length} `);
    expect(ledger).toContain(
      ` ${open} questions open ${assumed} questions assumed ${settled} questions settled`,
    );
    expect(ledger).toContain(`Open ${open} `);
    expect(ledger).toContain(`Assumed ${assumed} `);
    expect(textBetween(page, '<nav', '</nav>')).toContain(
      `Questions ${repositoryContract.unstated.length}`,
    );
    expect(page).not.toContain(`${repositoryContract.unstated.length} open`);
  });

  it('says what the answer to each question changes', () => {
    const changes = repositoryContract.unstated.map(({ id }) => {
      const start = page.indexOf(`id="question-${id}"`);
      const [, text] = /<p class="note">([^<]*)<\/p>/u.exec(page.slice(start)) ?? [];
      return [id, text?.trim().replaceAll(/\s+/gu, ' ')];
    });
    expect(changes).toEqual(
      expect.arrayContaining([
        ['signed-path', 'Changes: option signedPath.'],
        ['date-time-form', 'Changes: schema DateTime.'],
        ['cashout-confirmed-meaning', 'Changes: identification of message cashoutStageTwo.'],
        ['integer-width', 'Changes: the contract, by hand.'],
        ['unknown-members', 'Documentation only.'],
      ]),
    );
  });

  it('draws no sequence of calls that the contract does not relate', async () => {
    const loans = await contractOf({ openapi: 'test/golden/library-loans/openapi.yaml' });
    expect(loans.operations.length).toBeGreaterThan(1);
    const emitted = await emitPage({ ...loans, notifications: [] });
    expect(emitted).not.toContain('<figure class="sequence"');
    const [diagram = '', ...furtherDiagrams] = Array.from(
      page.matchAll(/<figure class="sequence"[^]*?<\/figure>/gu),
      ([figure]) => figure,
    );
    expect(diagram).toContain('POST /token');
    expect(diagram).toContain('every other call');
    expect(repositoryContract.notifications).not.toEqual([]);
    for (const { name } of repositoryContract.notifications) expect(diagram).not.toContain(name);
    expect(furtherDiagrams).toHaveLength(1);
    expect(furtherDiagrams[0]).toContain('cashoutStageOne');
  });

  it('names the failures of a call, and their guard, where it has any', async () => {
    const loans = await contractOf({ openapi: 'test/golden/library-loans/openapi.yaml' });
    const failing = loans.operations.filter(({ responses }) =>
      responses.some(({ status }) => status >= '4'),
    );
    expect(failing).not.toEqual([]);
    const emitted = await emitPage(loans);
    const guards = emitted.match(/Guard of its failures: is\w+Failure\./gu) ?? [];
    expect(guards).toHaveLength(failing.length);
    expect(page).not.toContain('Guard of its failures');
  });

  it('has each schema once, and no document', () => {
    expect(page).not.toContain('id="document-');
    const tree = page.slice(page.indexOf('id="schema-Charge"'));
    expect(tree.slice(0, tree.indexOf('class="entry schema"'))).toContain(
      'href="#schema-ChargePix"',
    );
    expect(page.slice(0, page.indexOf('id="schemas"'))).not.toContain('class="tree"');
  });
});

describe('groups', () => {
  const [operation] = repositoryContract.operations;
  if (operation === undefined) throw new Error('There is no operation.');
  const callsOf = (tags: readonly (readonly string[])[]): Contract => ({
    ...repositoryContract,
    operations: tags.map((names, index) => ({
      ...operation,
      id: `call${index}`,
      name: `call${index}`,
      tags: names,
    })),
    ...withoutSecurity,
    documents: {
      openapi: {
        tags: [
          { name: 'beta', description: 'The second letter.' },
          { name: 'unused' },
          { name: 'alpha' },
        ],
      },
    },
  });
  const orderOf = (text: string, part: string): readonly string[] =>
    Array.from(
      text
        .slice(text.indexOf(part))
        .matchAll(/<h3>\s*([^<]*?)\s*<span class="count">|id="call-(call\d+)"/gu),
      ([, title, call]) => title ?? call ?? '',
    ).slice(0, 9);

  it('have the declared tags in their order, then others, then what has none', async () => {
    const emitted = await emitPage(
      callsOf([[], ['other'], ['alpha'], ['beta', 'alpha'], ['alpha']]),
    );
    expect(orderOf(emitted, '<section id="calls"')).toEqual([
      'beta',
      'call3',
      'alpha',
      'call2',
      'call4',
      'other',
      'call1',
      'Other calls',
      'call0',
    ]);
    const contents = textBetween(emitted, '<nav', '</nav>');
    expect(contents).toContain(
      'beta 1 call3 alpha 2 call2 call4 other 1 call1 Other calls 1 call0',
    );
    expect(emitted).toContain('The second letter.');
    expect(emitted).toContain('<details class="nav-group"  open>');
  });

  it('are not made of calls without tags', async () => {
    const emitted = await emitPage(callsOf([[], []]));
    expect(emitted).not.toContain('class="tag-group"');
    expect(emitted).not.toContain('nav-group"');
  });

  it('come closed in a large contract', async () => {
    const emitted = await emitPage(callsOf(Array.from({ length: 50 }, () => ['alpha'])));
    expect(emitted).toMatch(/<details class="nav-group"\s*>/u);
    expect(emitted).toContain('<details class="tag-group" id="tag-call-alpha">');
  });
});

describe('hostile text', () => {
  it('brings no character that changes the reading order', async () => {
    const marks = '\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c';
    const emitted = await emitPage(
      replaceTexts(repositoryContract, (count) => `a${marks}${count}`),
    );
    expect(emitted).not.toMatch(/\p{Bidi_Control}/u);
    expect(emitted).toContain(String.raw`a\u200e\u200f\u202a`);
    const findable = scriptsOf(emitted).find((code) => code.startsWith('[[')) ?? '';
    expect(JSON.stringify(JSON.parse(findable))).not.toMatch(/\p{Bidi_Control}/u);
  });

  it('adds no tag and no attribute, at any place of a contract', async () => {
    const plainTags = tagsOf(
      await emitPage(replaceTexts(repositoryContract, () => 'plain `code`\n\nplain')),
    );
    // Every turn puts each text at many places, and at other places than before.
    for (const turn of [0, 7, 19, 31]) {
      const emitted = await emitPage(
        replaceTexts(
          repositoryContract,
          (count) => hostileTexts[(count + turn) % hostileTexts.length] ?? '',
        ),
      );
      expect([...tagsOf(emitted)].filter((tag) => !plainTags.has(tag))).toEqual([]);
      expect(scriptsOf(emitted).length).toBe(scriptsOf(page).length);
    }
  });

  it('stays data in the scripts that hold data', async () => {
    const text = '</script><script>pwned()</script>\u2028<!--';
    const emitted = await emitPage(replaceTexts(repositoryContract, () => text));
    const findable = scriptsOf(emitted).find((code) => code.startsWith('[[')) ?? '';
    expect(findable).not.toMatch(/[<\u2028]/u);
    expect(JSON.stringify(JSON.parse(findable))).toContain('</script><script>pwned()');
    expect(scriptsOf(emitted).at(-1)).toBe(scriptsOf(page).at(-1));
  });

  it('becomes a name of a place only by letters and digits', async () => {
    const odd = '"><img src=x onerror=pwned()>';
    const renamed: Contract = {
      ...repositoryContract,
      unstated: repositoryContract.unstated.map((entry) => ({ ...entry, id: `${odd}${entry.id}` })),
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
    const described = [...contract.operations, ...contract.notifications];
    expect(described).not.toEqual([]);
    for (const { name } of described) expect(emitted).toContain(`>${name}<`);
  });

  it('name no package that is not generated', async () => {
    const emitted = await emitPage(repositoryContract, ['reference']);
    expect(emitted).not.toContain('@trade/');
  });

  it('of ambiguous notifications grow with their number, and not with its square', async () => {
    const [notification] = repositoryContract.notifications;
    if (notification === undefined) throw new Error('There is no notification.');
    const sizeOf = async (count: number): Promise<number> => {
      const names = Array.from({ length: count }, (_, index) => `kind${index}`);
      const notifications = names.map((name) => ({
        ...notification,
        id: name,
        name,
        typeName: `K${name}`,
        ambiguousWith: names.filter((other) => other !== name),
      }));
      const emitted = await emitPage(
        { ...repositoryContract, notifications, operations: [], ...withoutSecurity },
        ['reference'],
      );
      return emitted.length;
    };
    const [small, middle, large] = [await sizeOf(50), await sizeOf(100), await sizeOf(200)];
    expect((large - middle) / (middle - small)).toBeLessThan(2.2);
  });

  it.each([
    [10, 40],
    [50, 36],
  ])('of %i calls have elements and bytes in proportion to them', async (count, most) => {
    const pageOf = async (calls: number): Promise<string> => {
      const { contract } = await lowerFiles({ 'openapi.yaml': shopOf(calls) });
      return (await emitPage(contract)).replaceAll(/<script>[^]*?<\/script>/gu, '');
    };
    const pages = [await pageOf(count), await pageOf(2 * count), await pageOf(3 * count)];
    for (const sizeOf of [elementsIn, (text: string) => text.length]) {
      const [one = 0, two = 0, three = 0] = pages.map((text) => sizeOf(text));
      expect((three - two) / (two - one)).toBeCloseTo(1, 1);
    }
    const [first = '', second = ''] = pages;
    expect((elementsIn(second) - elementsIn(first)) / count).toBeLessThanOrEqual(most);
  });

  it('of hundreds of calls come closed, and are made when they are opened', async () => {
    const [operation] = repositoryContract.operations;
    if (operation === undefined) throw new Error('There is no operation.');
    const operations = Array.from({ length: 300 }, (_, index) => ({
      ...operation,
      id: `${operation.id}${index}`,
      name: `${operation.name}${index}`,
    }));
    const emitted = await emitPage({ ...repositoryContract, operations, ...withoutSecurity });
    expect(emitted).not.toMatch(/<details[^>]*class="entry call"[^>]* open/u);
    expect(emitted.match(/<script type="text\/html">/gu)?.length).toBeGreaterThanOrEqual(300);
  });
});

it('lists the messages that no receiver takes, with their protocol and types', async () => {
  const { contract } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
servers: { broker: { host: a.example, protocol: amqp } }
channels:
  doors:
    address: doors.opened
    messages: { opened: { summary: '<b>Open</b>', headers: { type: object }, payload: { type: object } } }
operations:
  tell: { action: send, channel: { $ref: '#/channels/doors' } }
  hear: { action: receive, channel: { $ref: '#/channels/doors' } }
`,
  });
  const text = (await emitPage(contract)).replaceAll(/\s+/gu, ' ');
  const rows = text.match(/<tr id="message-[^]*?<\/tr>/gu) ?? [];
  expect(
    rows.map((row) =>
      row
        .replaceAll(/<[^>]*>|\s+/gu, ' ')
        .trim()
        .replaceAll(/ +/gu, ' '),
    ),
  ).toEqual([
    expect.stringContaining('the service amqp doors.opened'),
    expect.stringContaining('your application amqp doors.opened'),
  ]);
  for (const row of rows) {
    expect(row).toMatch(/href="#schema-[^"]*"[^]*href="#schema-/u);
    expect(row).not.toContain('<b>Open</b>');
  }
  expect(text).toContain('href="#messages"');
  expect(text).not.toContain('id="notifications"');
});

it('shows in words what decides that a delivery is a notification, also by its schema', async () => {
  const hook = (required: string, more = ''): string =>
    `{ post: { ${more}requestBody: { content: { application/json: { schema: { type: object, required: [${required}], properties: { kind: { type: string } } } } } }, responses: { 2XX: { description: Done. } } } }`;
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Doors, version: 1.0.0 }
webhooks:
  opened: ${hook('door', 'x-identified-by-schema: true, ')}
  closed: ${hook('lock', 'x-identified-by-schema: true, ')}
  broken: ${hook('kind', "x-identified-by: { '$request.body#/kind': { const: '<b>broken' } }, ")}
`,
  });
  const text = (await emitPage(contract)).replaceAll(/\s+/gu, ' ');
  const lists = Array.from(
    text.matchAll(/What decides that a delivery is this one<\/summary> (<ul[^]*?<\/ul>)/gu),
    ([, list = '']) =>
      list
        .replaceAll(/<\/?(?:ul|li)\b[^>]*>/gu, ' ')
        .replaceAll(/ +/gu, ' ')
        .trim(),
  );
  const member = '1. The member &quot;/kind&quot;. &quot;&lt;b&gt;broken&quot;:';
  const all = '&quot;opened&quot; or &quot;closed&quot; or &quot;broken&quot;';
  const both = '&quot;opened&quot; or &quot;closed&quot;';
  const bySchema = `${member} ${all}; otherwise: ${both}. For ${both}: the one whose schema alone accepts the value.`;
  expect(lists).toEqual([
    bySchema,
    bySchema,
    `${member} ${all}; otherwise: another kind, or none.`,
  ]);
});

it('a signature in the body is described by what it covers and where it is', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': shopDocument({ own: 'security: [{ bodySignature: [] }], ' }).replace(
      'over: [/id]',
      'numbers: as-sent, over: [/id, { member: /note<b>, mayContainSeparator: true }]',
    ),
  });
  const text = (await emitPage(contract)).replaceAll(/\s+/gu, ' ');
  expect(text).toContain('signature in the body at <code>/seal</code>');
  expect(text).toMatch(/<li class="part-0"> the member <code>\/id<\/code>/u);
  expect(text).toContain('<code>/note&lt;b&gt;</code>');
  for (const [name, value] of Object.entries({
    Algorithm: 'hmac-sha256',
    Key: 'sealKey',
    'Written in': 'hex',
    Member: '/seal',
    Numbers: 'as-sent',
  }))
    expect(text).toMatch(new RegExp(`<dt>${name}</dt> <dd>\\s*<code>${value}</code>`, 'u'));
});

it('says how the list of a call goes on', async () => {
  const shown = await emitPage(await readContract({ openapi: 'test/targets/client/lists.yaml' }));
  const text = shown.replaceAll(/\s+/gu, ' ');
  expect(text).toContain(
    'Returns one page of a list: <code>x-pagination: { items: $response.body#/users, page: $request.query.page, totalPages: $response.header.x-total-pages }</code>',
  );
});

it('shows every media type of a notification, and the statuses with which it is accepted', async () => {
  const { contract } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1
info: { title: Statuses, version: 1.0.0 }
webhooks:
  sent:
    post:
      security: []
      requestBody:
        content:
          application/json: { schema: { type: object } }
          application/x-www-form-urlencoded: { schema: { type: object } }
      responses:
        '202': { description: Accepted }
        '201': { description: Created, content: { text/plain: { schema: { const: OK } } } }
  other:
    post:
      security: []
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: None } }
`,
  });
  const text = (await emitPage(contract)).replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
  expect(text).toContain('unless its option chooses another one. 201 text/plain 202');
  expect(text).toContain('A receiver accepts it with this status. 204');
  expect(text).toMatch(/application\/json \S+ ?(?:\S+ )?, application\/x-www-form-urlencoded/u);
});

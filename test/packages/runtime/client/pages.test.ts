import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bearer,
  ClientError,
  connect,
  type Answer,
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  type OperationData,
} from '../../../../packages/runtime/client/client.ts';
import {
  withPages,
  type ItemsOptions,
  type Page,
  type PagedCall,
} from '../../../../packages/runtime/client/pages.ts';
import { listOperation, listService, type Item, type ListForm } from './list-service.ts';

type AnyList = PagedCall<object, Answer<200, '200', string, Item[]>, 'GET /', CallOptions, []>;

const listOf = (operation: OperationData): AnyList =>
  withPages<AnyList>(Object.assign(() => undefined, { operation }));

const given = { path: { shop: 'a/b' }, query: { state: 'open' } };
const baseUrl = 'https://shop.example/api';

function connectTo(
  fetch: NonNullable<ConnectionOptions['fetch']>,
  options: Partial<ConnectionOptions> = {},
): Connection {
  return connect(
    { baseUrl, fetch, sleep: async () => undefined, ...options },
    { everyRequest: [], security: [['key']], schemes: { key: bearer('Bearer', 'secret') } },
  );
}

async function read<T>(from: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}

/** Reads until an error, and returns the code of that too. */
async function readWithError<T>(from: AsyncIterable<T>): Promise<readonly [readonly T[], unknown]> {
  const all: T[] = [];
  try {
    for await (const one of from) all.push(one);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    expect(error.operation).toBe('listItems');
    return [all, error.code];
  }
  return [all, undefined];
}

const numbered = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

const cursorForms: readonly ListForm[] = ['lastItem', 'cursor', 'link', 'nextUrl', 'body'];
const forms: readonly ListForm[] = [...cursorForms, 'page', 'offset'];

describe.each(forms)('a list in the form %s', (form) => {
  const list = listOf(listOperation(form));

  test('gives all items in their order, with any size of pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.integer({ min: 1, max: 5 }), async (count, size) => {
        const { fetch } = listService(form, size, () => numbered(count));
        expect(await read(list.items(connectTo(fetch), given))).toEqual(numbered(count));
      }),
    );
  });

  test('repeats the call of a page that is refused for a moment, and sends credentials with each', async () => {
    const refused = new Set([2, 3, 5]);
    const { fetch, arrived } = listService(form, 2, (request) =>
      refused.has(request) ? undefined : numbered(5),
    );
    expect(await read(list.items(connectTo(fetch), given))).toEqual(numbered(5));
    expect(new Set(arrived.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer secret']),
    );
  });

  test('ends with the failure of a page', async () => {
    const { fetch } = listService(form, 2, (request) => (request < 2 ? numbered(5) : undefined));
    const [items, code] = await readWithError(list.items(connectTo(fetch), given));
    expect([items, code]).toEqual([numbered(2), 'unexpected-status']);
  });

  test('continues from the cursor of a page, in another process too', async () => {
    const { fetch } = listService(form, 2, () => numbered(5));
    const [first, ...none] = await read(list.pages(connectTo(fetch), given, { maxPages: 1 }));
    expect(none).toEqual([]);
    expect(first?.items).toEqual(numbered(2));
    const from = JSON.parse(JSON.stringify(first?.next)) as Page['next'];
    const others = await read(list.pages(connectTo(fetch), given, { from }));
    expect(others.flatMap(({ items }) => items)).toEqual(numbered(5).slice(2));
    expect(others[0]?.cursor).toEqual(first?.next);
    expect(others.at(-1)?.next).toBe(undefined);
  });

  test('requests no page that the items do not need', async () => {
    const { fetch, arrived } = listService(form, 2, () => numbered(9));
    const items = list.items(connectTo(fetch), given, { maxItems: 4 });
    expect(arrived).toHaveLength(0);
    expect(await read(items)).toEqual(numbered(4));
    expect(arrived).toHaveLength(2);
    for await (const { id } of list.items(connectTo(fetch), given)) if (id === 3) break;
    expect(arrived).toHaveLength(4);
  });

  test('ends where its caller aborts it, also between two items', async () => {
    const aborter = new AbortController();
    const { fetch, arrived } = listService(form, 3, () => numbered(9));
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const item of list.items(connectTo(fetch), given, { signal: aborter.signal })) {
        seen.push(item);
        if (seen.length === 4) aborter.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted', operation: 'listItems' });
    expect([seen, arrived.length]).toEqual([numbered(4), 2]);
  });

  test.each([{ maxItems: 0 }, { maxPages: 1.5 }, { maxPages: '2' as unknown as number }])(
    'refuses the bound %o',
    async (bound: ItemsOptions) => {
      const { fetch, arrived } = listService(form, 2, () => numbered(3));
      const reading = read(list.items(connectTo(fetch), given, bound));
      await expect(reading).rejects.toMatchObject({ code: 'invalid-option' });
      expect(arrived).toEqual([]);
    },
  );
});

describe.each(cursorForms)('a list in the form %s that others change', (form) => {
  const list = listOf(listOperation(form));

  test('has each item that stays once, and none twice', async () => {
    const change = fc.record({
      deleted: fc.uniqueArray(fc.nat(30)),
      inserted: fc.uniqueArray(fc.nat(30)),
      isRefused: fc.boolean(),
      isEmpty: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(30)),
        fc.integer({ min: 1, max: 4 }),
        fc.array(change, { maxLength: 12 }),
        async (start, size, changes) => {
          let ids = new Set(start);
          const stays = new Set(start);
          const ever = new Set(start);
          let refusals = 0;
          const service = listService(
            form,
            size,
            (request) => {
              const { deleted = [], inserted = [], isRefused = false } = changes[request - 1] ?? {};
              ids = new Set([...ids, ...inserted].filter((id) => !deleted.includes(id)));
              for (const id of deleted) stays.delete(id);
              for (const id of inserted) ever.add(id);
              // A call has three attempts.
              refusals = isRefused && refusals < 2 ? refusals + 1 : 0;
              if (refusals > 0) return undefined;
              return [...ids].toSorted((a, b) => a - b).map((id) => ({ id }));
            },
            // A page without items has no last one.
            (request) => form !== 'lastItem' && changes[request - 1]?.isEmpty === true,
          );
          const items = await read(list.items(connectTo(service.fetch), given));
          const found = items.map(({ id }) => id);
          expect(new Set(found).size).toBe(found.length);
          for (const id of stays) expect(found).toContain(id);
          for (const id of found) expect(ever.has(id)).toBe(true);
        },
      ),
    );
  });
});

/** Answers each request with the next of these pages. */
function answering(...answers: readonly Response[]): {
  readonly fetch: NonNullable<ConnectionOptions['fetch']>;
  readonly urls: string[];
} {
  const urls: string[] = [];
  const left = [...answers];
  return {
    urls,
    fetch: async (url) => {
      urls.push(url);
      const answer = left.shift();
      if (answer === undefined) throw new Error('There are no more pages.');
      return answer.clone();
    },
  };
}

const pageOf = (body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { headers });

describe('a list without an end', () => {
  test.each<readonly [ListForm, readonly object[]]>([
    ['cursor', [{ next: 'a' }, { next: 'a' }]],
    ['cursor', [{ next: 'a' }, { next: 'b' }, { next: 'a' }]],
    ['nextUrl', [{ next: '?a=1' }, { next: '?a=2' }, { next: '?a=1#else' }]],
  ])('ends with an error after the items of its pages: %s %o', async (form, cursors) => {
    const { fetch } = answering(
      ...cursors.map((cursor, id) => pageOf({ data: [{ id }], meta: cursor, links: cursor })),
    );
    const list = listOf(listOperation(form)).items(connectTo(fetch), given);
    const [items, code] = await readWithError(list);
    expect([items.length, code]).toEqual([cursors.length, 'repeated-page']);
  });
});

describe('a page that cannot be continued', () => {
  const one = [{ id: 1 }];
  test.each<readonly [what: string, ListForm, object]>([
    ['no list', 'cursor', { meta: { next: null } }],
    ['a list of another type', 'cursor', { data: {}, meta: { next: null } }],
    ['a cursor of another type', 'cursor', { data: one, meta: { next: { after: 1 } } }],
    ['a last item without an id', 'lastItem', { data: [{}], has_more: true }],
    ['more, and no last item', 'lastItem', { data: [], has_more: true }],
  ])('is an error: %s', async (_, form, body) => {
    const list = listOf(listOperation(form)).items(connectTo(answering(pageOf(body)).fetch), given);
    expect(await readWithError(list)).toEqual([[], 'invalid-response']);
  });

  test('has no items if its list may be missing, or the service has nothing to send', async () => {
    const optional = { ...listOperation('cursor').pages, items: ['data'], optional: true } as const;
    for (const data of [{}, { data: null }]) {
      const { fetch } = answering(pageOf({ ...data, meta: { next: 2 } }), pageOf({ data: one }));
      const list = listOf(listOperation('cursor', { pages: optional }));
      expect(await read(list.items(connectTo(fetch), given))).toEqual(one);
    }
    const { fetch } = answering(new Response(null, { status: 204 }));
    const list = listOf(listOperation('page', { responses: { '204': {} } }));
    expect(await read(list.items(connectTo(fetch), given))).toEqual([]);
  });
});

describe('a link', () => {
  const listed = listOf(listOperation('link'));
  const after = async (
    link: string,
  ): Promise<readonly [urls: readonly string[], code: unknown]> => {
    const { fetch, urls } = answering(pageOf([], { link: `<${link}>; rel=next` }), pageOf([]));
    const [, code] = await readWithError(listed.pages(connectTo(fetch), given));
    return [urls.slice(1), code];
  };

  test.each([
    ['?page=2', `${baseUrl}/listed/a%2Fb/items?page=2`],
    ['more;a=1?b=%20{c}#d', `${baseUrl}/listed/a%2Fb/more;a=1?b=%20{c}`],
    ['/api/x?key=1&key=2', `${baseUrl}/x?key=1&key=2`],
    ['HTTPS://shop.example:443/api?x', `${baseUrl}?x`],
  ])('leads to a page below the address of the service: %s', async (link, url) => {
    expect(await after(link)).toEqual([[url], undefined]);
  });

  test.each([
    'https://elsewhere.example/api/x',
    '//elsewhere.example/api/x',
    'http://shop.example/api/x',
    'https://shop.example:444/api/x',
    'https://user:password@shop.example/api/x',
    'https://shop.example.elsewhere.example/api',
    'https://shop.example/apis/x',
    '/other',
    '/api/../other',
    '/api/%2e%2e/other',
    'javascript:alert(1)',
    'https://[',
  ])('elsewhere gets no request: %s', async (link) => {
    expect(await after(link)).toEqual([[], 'foreign-link']);
  });

  test('that was stored leads nowhere else either', async () => {
    const { fetch, urls } = answering();
    const list = listed.pages(connectTo(fetch), given, { from: 'https://elsewhere.example/api/x' });
    expect(await readWithError(list)).toEqual([[], 'foreign-link']);
    expect(urls).toEqual([]);
  });

  test.each([
    ['<?a=1>; rel=prev, <?a=2>; rel="next"', '?a=2'],
    ['<?a=1>;REL=NEXT;rel=prev', '?a=1'],
    ['<?a=1>; rel=prev; rel=next', undefined],
    ['<?a=1>; title="\\"; rel=next; \\""; rel="a next b"', '?a=1'],
    ['<?a=1>; title="rel=next"', undefined],
    ['<?a=1>; rel="next"; anchor="#a"', undefined],
    ['<?a=1,2>; a; rel = next', '?a=1,2'],
    ['no link', undefined],
    ['', undefined],
  ])('is found in the header as RFC 8288 says: %s', async (link, target) => {
    const { fetch, urls } = answering(pageOf([], { link }), pageOf([]));
    await read(listed.pages(connectTo(fetch), given));
    expect(urls.slice(1)).toEqual(
      target === undefined ? [] : [`${baseUrl}/listed/a%2Fb/items${target}`],
    );
  });

  test('is found in a hostile header in time', async () => {
    const { fetch } = answering(pageOf([], { link: '<a>;a '.repeat(2_500) + '<'.repeat(1000) }));
    expect(await read(listed.items(connectTo(fetch), given))).toEqual([]);
  });
});

describe('a counted list', () => {
  const counted = (more: object, name: ListForm = 'page'): AnyList =>
    listOf(
      listOperation(name, { pages: { ...listOperation(name).pages, items: ['data'], ...more } }),
    );
  const one = [{ id: 1 }];

  test.each<readonly [what: string, AnyList, readonly object[], readonly string[]]>([
    [
      'the number of pages',
      counted({ total: { body: ['pages'] } }),
      [
        { data: one, pages: 3 },
        { data: [], pages: 3 },
        { data: one, pages: 3 },
      ],
      ['', 'page=2&', 'page=3&'],
    ],
    [
      'the number of pages, from 0',
      counted({ first: 0, total: { body: ['pages'] } }),
      [
        { data: one, pages: 2 },
        { data: one, pages: 2 },
      ],
      ['', 'page=1&'],
    ],
    [
      'the number of items',
      counted({ total: { body: ['all'] } }, 'offset'),
      [
        { data: [1, 2], all: 3 },
        { data: [3], all: 3 },
      ],
      ['', 'offset=2&'],
    ],
    [
      'a number that is missing: a page without items',
      counted({ total: { body: ['all'] } }, 'offset'),
      [{ data: [1], all: null }, { data: [] }],
      ['', 'offset=1&'],
    ],
    [
      'whether there is more',
      counted({ more: { body: ['more'] } }),
      [
        { data: [], more: true },
        { data: one, more: false },
      ],
      ['', 'page=2&'],
    ],
  ])('ends by %s', async (_, list, bodies, queries) => {
    const { fetch, urls } = answering(...bodies.map((body) => pageOf(body)));
    await read(list.pages(connectTo(fetch), given));
    expect(urls.map((url) => new URL(url).search)).toEqual(
      queries.map((query) => `?${query}state=open`),
    );
  });

  test('begins at the page of its input', async () => {
    const { fetch, urls } = answering(pageOf({ data: one }), pageOf({ data: [] }));
    const input = { path: { shop: 'x' }, query: { page: 4 } };
    await read(listOf(listOperation('page')).items(connectTo(fetch), input));
    expect(urls.map((url) => new URL(url).search)).toEqual(['?page=4', '?page=5']);
  });

  test('whose offset does not move ends with an error', async () => {
    const page = pageOf({ data: [], all: 3 });
    const list = counted({ total: { body: ['all'] } }, 'offset');
    const reading = list.items(connectTo(answering(page, page).fetch), given);
    expect(await readWithError(reading)).toEqual([[], 'repeated-page']);
  });
});

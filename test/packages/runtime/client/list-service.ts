import {
  form,
  fromJson,
  json,
  type OperationData,
  type ParameterDescription,
  simple,
} from '../../../../packages/runtime/client/client.ts';

/** An item of the list. The service returns the items in the order of their numbers. */
export interface Item {
  readonly id: number;
}

/** The forms in which lists go on. */
export type ListForm = 'lastItem' | 'cursor' | 'link' | 'nextUrl' | 'body' | 'page' | 'offset';

const inQuery = (name: string): ParameterDescription => ({
  in: 'query',
  name,
  style: form,
  explode: true,
});

const data = { items: ['data'] } as const;

const pages: Readonly<Record<ListForm, NonNullable<OperationData['pages']>>> = {
  // As Stripe: the id of the last item, and whether there is more.
  lastItem: {
    ...data,
    into: ['query', 'starting_after'],
    lastItem: ['id'],
    more: { body: ['has_more'] },
  },
  cursor: { ...data, into: ['query', 'after'], next: { body: ['meta', 'next'] } },
  // As GitHub: the body is the list.
  link: { items: [], next: { header: 'link' } },
  nextUrl: { ...data, next: { body: ['links', 'next'] } },
  body: { ...data, into: ['body', 'page', 'after'], next: { body: ['meta', 'next'] } },
  page: { ...data, into: ['query', 'page'], counts: 'pages' },
  offset: { ...data, into: ['query', 'offset'], counts: 'items' },
};

/** The operation that returns the list in one of the forms. */
export function listOperation(name: ListForm, more: Partial<OperationData> = {}): OperationData {
  return {
    id: 'listItems',
    method: name === 'body' ? 'POST' : 'GET',
    path: `/${name === 'link' ? 'listed' : 'shops'}/{shop}/items`,
    parameters: [
      { in: 'path', name: 'shop', required: true, style: simple },
      ...['starting_after', 'after', 'page', 'offset', 'state'].map(inQuery),
    ],
    responses: { '200': { 'application/json': fromJson } },
    ...(name === 'body'
      ? { repeatable: true, body: { content: { 'application/json': json } } }
      : {}),
    pages: pages[name],
    ...more,
  };
}

/** A service with a list that others change while it is read. */
export interface ListService {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The requests, with their credentials. */
  readonly arrived: readonly { readonly url: URL; readonly authorization: string | null }[];
}

/**
 * Creates a service that returns a list in pages of some items.
 * @param read returns the items at the time of each request; `undefined` refuses the request with 429
 * @param isEmpty returns whether the page of a request has no items, although others follow
 */
export function listService(
  name: ListForm,
  size: number,
  read: (request: number) => readonly Item[] | undefined,
  isEmpty: (request: number) => boolean = () => false,
): ListService {
  const arrived: { url: URL; authorization: string | null }[] = [];
  return {
    arrived,
    fetch: async (address, init) => {
      const url = new URL(address);
      arrived.push({ url, authorization: new Headers(init.headers).get('authorization') });
      const items = read(arrived.length);
      if (items === undefined)
        return new Response(null, { status: 429, headers: { 'retry-after': '0' } });
      const value = (parameter: string): string | null => url.searchParams.get(parameter);
      if (name === 'page' || name === 'offset') {
        const start =
          name === 'offset'
            ? Number(value('offset') ?? 0)
            : (Number(value('page') ?? 1) - 1) * size;
        return Response.json({ data: items.slice(start, start + size) });
      }
      const body: unknown = init.body === undefined ? {} : await new Response(init.body).json();
      const inBody = (body as { readonly page?: { readonly after: string } }).page?.after;
      const after = Number(value('starting_after') ?? value('after') ?? inBody ?? -1);
      const left = items.filter(({ id }) => id > after);
      const found = left.slice(0, size);
      const hasMore = left.length > size;
      const shown = hasMore && isEmpty(arrived.length) ? [] : found;
      // A cursor is the last id, and a fraction, by which that of an empty page is another one.
      const last = Math.trunc(shown.at(-1)?.id ?? after);
      return page(url, shown, hasMore ? `${last}.${arrived.length}` : null);
    },
  };
}

function page(url: URL, items: readonly Item[], next: string | null): Response {
  // As GitHub: links lead to another path than that of the call. Later ones are relative to that.
  const link = `${url.pathname.includes('/1/') ? '' : '../1/items'}?after=${next}`;
  const other = '<https://elsewhere.example/>; rel="prev first"; title="<x>; rel=next, "';
  if (url.pathname.includes('/listed/'))
    return Response.json(items, {
      headers: { link: next === null ? other : `${other}, <${link}>;rel="last Next"` },
    });
  return Response.json({
    data: items,
    has_more: next !== null,
    meta: { next },
    links: { next: next === null ? null : link },
  });
}

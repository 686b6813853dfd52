// Lists that go on: the pages of an operation, and their items, one call after the other.
import { readPlace } from './authorization.ts';
import type { Call, CallArguments, Connection } from './client.ts';
import type {
  Answer,
  AnswerPlace,
  CallOptions,
  Input,
  Operation,
  OperationData,
} from './description.ts';
import { ClientError, type ClientErrorCode, type FailedCall, type Rule, demand } from './errors.ts';
import { createDraft, toBase } from './request.ts';

/** Where a list goes on: the cursor, number or link of a page. It can be stored as JSON. */
export type PageCursor = string | number;

/** One page of a list. */
export interface Page<Item = unknown, Out = Answer> {
  readonly items: readonly Item[];
  /** What the call returned. */
  readonly answer: Out;
  /** The cursor that this page was requested with; `undefined` for the first. */
  readonly cursor: PageCursor | undefined;
  /** The cursor of the next page, for the option `from`; `undefined` if this page is the last. */
  readonly next: PageCursor | undefined;
}

/** The options for the pages of a list, beside those of each call. `timeoutMs` is the time for one page. */
export interface PagesOptions {
  /** The cursor to begin at, such as `next` of a page. Default: that in the input, or else the first page. */
  readonly from?: PageCursor | undefined;
  /** The maximum number of pages to request. Default: all. */
  readonly maxPages?: number | undefined;
}

/** The options for the items of a list. */
export interface ItemsOptions extends PagesOptions {
  /** The maximum number of items. No page is requested that they do not need. Default: all. */
  readonly maxItems?: number | undefined;
}

/** The type of the items at a path in the answers of a call; `unknown` where the contract does not describe them. */
export type ItemOf<Out, Path> = [ItemAt<Out, Path>] extends [never] ? unknown : ItemAt<Out, Path>;

type ItemAt<Out, Path> = Out extends { readonly body: infer Body } ? At<Body, Path> : never;

type At<Value, Path> = Path extends readonly [infer Name, ...infer Rest]
  ? Value extends { readonly [Member in Name & string]?: infer Inner }
    ? At<Inner, Rest>
    : never
  : Value extends readonly (infer Item)[]
    ? Item
    : never;

/** The functions for the pages of a list, as they are on a client. */
export interface Paged<In, Out, Item, Known extends CallOptions = CallOptions> {
  /** Returns the items of all pages, in their order. Requests a page when its first item is asked for. */
  readonly items: (
    ...args: CallArguments<In, Known & ItemsOptions>
  ) => AsyncGenerator<Item, void, undefined>;
  /** Returns the pages, each with its cursor and that of the next. Requests a page when it is asked for. */
  readonly pages: (
    ...args: CallArguments<In, Known & PagesOptions>
  ) => AsyncGenerator<Page<Item, Out>, void, undefined>;
}

/** A call whose list goes on. Its functions take a connection, as the call does. `Path` is that of the items. */
export type PagedCall<In, Out, Route extends string, Known extends CallOptions, Path> = Call<
  In,
  Out,
  Route,
  Known
> & {
  readonly [Name in 'items' | 'pages']: (
    connection: Connection,
    ...args: Parameters<Paged<In, Out, ItemOf<Out, Path>, Known>[Name]>
  ) => ReturnType<Paged<In, Out, ItemOf<Out, Path>, Known>[Name]>;
};

/** The functions for pages of a client, for those calls of a module that have them. */
export type PagedMethods<Module, Names extends keyof Module, Credentials extends object> = {
  readonly [Name in Names]: Module[Name] extends {
    readonly operation: Operation<infer In, infer Out>;
    readonly items: (...args: never) => AsyncGenerator<infer Item>;
  }
    ? Paged<In, Out, Item, CallOptions<Credentials>>
    : never;
};

/** Adds the functions for pages to a call whose operation describes them. `Paged` is a `PagedCall`. */
export function withPages<Paged>(call: Pick<Call, 'operation'>): Paged {
  const { operation } = call;
  const functions = {
    items: (connection: Connection, input?: Input, options?: CallOptions & ItemsOptions) =>
      itemsOf(connection, operation, input, options),
    pages: (connection: Connection, input?: Input, options?: CallOptions & PagesOptions) =>
      pagesOf(connection, operation, input, options),
  };
  return Object.assign(call, functions) as Paged;
}

/** Adds the functions for pages to the methods of a client, for those calls that have them. */
export function bindPages<Client>(methods: object, connection: Connection, calls: object): Client {
  for (const [name, call] of Object.entries(calls) as [keyof typeof methods, AnyPaged][])
    if (call.pages !== undefined)
      Object.assign(methods[name], {
        items: call.items?.bind(undefined, connection),
        pages: call.pages.bind(undefined, connection),
      });
  return methods as Client;
}

type AnyPaged = Readonly<Partial<Record<'items' | 'pages', (connection: Connection) => unknown>>>;

const count: Rule = [
  'a whole number of 1 or more',
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
];

/** Returns how many there may be at most, as an option says. */
function limitOf(name: string, value: number | undefined): number {
  if (value !== undefined) demand(name, count, value);
  return value ?? Infinity;
}

async function* itemsOf(
  connection: Connection,
  operation: OperationData,
  input?: Input,
  options: CallOptions & ItemsOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { signal } = options;
  let left = limitOf('maxItems', options.maxItems);
  for await (const { items } of pagesOf(connection, operation, input, options)) {
    for (const item of items) {
      if (signal?.aborted === true)
        throw fault('aborted', operation, 'the caller aborted the list', { cause: signal.reason });
      yield item;
      left -= 1;
      if (left === 0) return;
    }
  }
}

/**
 * Requests pages until one is the last. Each is a call of its own: it is repeated as every call is, and its failure ends
 * the list.
 * @throws ClientError as every call; `repeated-page`, `foreign-link`; `invalid-response` for a page without a list, or
 * without the cursor that it must have
 */
async function* pagesOf(
  connection: Connection,
  operation: OperationData,
  given: Input = {},
  options: CallOptions & PagesOptions = {},
): AsyncGenerator<Page, void, undefined> {
  const { items: path = [], optional, into } = operation.pages ?? {};
  const limit = limitOf('maxPages', options.maxPages);
  const links = into === undefined ? linksOf(connection, operation, given, options) : undefined;
  const start = into && memberAt(given, into);
  let cursor = options.from ?? (isCursor(start) ? start : undefined);
  if (links !== undefined && cursor !== undefined) cursor = links.resolve(cursor);
  const seen = new Set<unknown>();
  const { checkInput: _checked, ...unchecked } = operation;
  for (let number = 0; number < limit; number += 1) {
    if (seen.has(cursor))
      throw fault('repeated-page', operation, 'a cursor came back, so the list would not end');
    seen.add(cursor);
    // What the caller gives is checked once, and what the service gives is not checked as an input.
    const called = number === 0 ? operation : unchecked;
    const [requested, input] =
      cursor === undefined
        ? [called, given]
        : (links?.request(called, cursor) ?? [called, placed(given, into ?? [], cursor)]);
    const answer = await connection.call<Input, Answer>(requested, input, options);
    const mayLack = optional === true || answer.status === 204;
    const items = memberAt(answer.body, path) ?? (mayLack ? [] : undefined);
    if (!Array.isArray(items))
      throw fault('invalid-response', operation, 'the page has no list', answer);
    let next = nextOf(operation, answer, items, cursor);
    if (links !== undefined && next !== undefined) next = links.resolve(next, cursor);
    yield { items, answer, cursor, next };
    if (next === undefined) return;
    cursor = next;
  }
}

/** Returns the cursor of the page after another; `undefined` if that was the last. */
function nextOf(
  operation: OperationData,
  answer: Answer,
  items: readonly unknown[],
  cursor: PageCursor | undefined,
): PageCursor | undefined {
  const { next, lastItem, counts, first = 1, total, more } = operation.pages ?? {};
  const goesOn = more && String(readPlace(answer, more));
  if (goesOn === 'false') return undefined;
  if (counts !== undefined) {
    const start = counts === 'pages' ? first : 0;
    const following = Number(cursor ?? start) + (counts === 'pages' ? 1 : items.length);
    const all = total && readPlace(answer, total);
    // A total that cannot be read must not end the list.
    const isLast = isCursor(all) && Number(all) >= 0 ? following >= start + Number(all) : undefined;
    return (isLast ?? (items.length === 0 && goesOn !== 'true')) ? undefined : following;
  }
  const found = next ? readNext(answer, next) : memberAt(items.at(-1), lastItem ?? []);
  if (isCursor(found)) return found;
  const isMissing = found === undefined || found === null || found === '';
  if (isMissing && goesOn !== 'true' && (next !== undefined || items.length === 0))
    return undefined;
  throw fault('invalid-response', operation, 'the page has no cursor of the next one', answer);
}

function readNext(answer: Answer, place: AnswerPlace): unknown {
  const value = readPlace(answer, place);
  const isLinks = 'header' in place && place.header.toLowerCase() === 'link';
  return isLinks && typeof value === 'string' ? nextLink(value) : value;
}

/** A part of a header `Link` (RFC 8288, section 3): a target, a parameter, or anything between them. */
const linkPart = /<([^<>]*)>|([^\s,;<>="]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"<]*)))?|./gsy;

/** Returns the target of the link with the relation `next` in a header. */
function nextLink(header: string): string | undefined {
  const links: { readonly target: string; readonly parameters: Map<string, string> }[] = [];
  for (const [, target, name, quoted, text = ''] of header.matchAll(linkPart)) {
    const parameters = links.at(-1)?.parameters;
    const key = name?.toLowerCase() ?? '';
    if (target !== undefined) links.push({ target, parameters: new Map() });
    // The first `rel` counts.
    else if (parameters?.has(key) === false) parameters.set(key, quoted ?? text);
  }
  // A link with an anchor is one of another resource.
  return links.find(
    ({ parameters }) =>
      !parameters.has('anchor') && /(?:^|\s)next(?:\s|$)/i.test(parameters.get('rel') ?? ''),
  )?.target;
}

function isCursor(value: unknown): value is PageCursor {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function memberAt(body: unknown, path: readonly string[]): unknown {
  return readPlace({ body } as Answer, { body: path });
}

/** Returns a value with another one at a path of members. */
function placed<Value>(value: Value, [name, ...rest]: readonly string[], inner: unknown): Value {
  if (name === undefined) return inner as Value;
  return { ...value, [name]: placed(value?.[name as keyof Value], rest, inner) };
}

/** Creates the functions that follow the links of a list. */
function linksOf(
  connection: Connection,
  operation: OperationData,
  given: Input,
  { baseUrl, allowReserved }: CallOptions,
): {
  /** Returns the URL of a link in a page. Credentials are sent to it, so it has to be below the operation's address. */
  readonly resolve: (link: PageCursor, page?: PageCursor) => string;
  /** Returns the call that requests a URL: its path and query take the place of those of the operation. */
  readonly request: (called: OperationData, url: PageCursor) => [OperationData, Input];
} {
  const address = baseUrl === undefined ? connection.addressOf(operation) : toBase(baseUrl);
  const { method, path, parameters = [] } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const others = parameters.filter(({ in: place }) => place !== 'path' && place !== 'query');
  return {
    resolve(link, page) {
      const none = new Uint8Array();
      const from =
        page ??
        createDraft(method, address, path, inPath, given, none, new Set(), allowReserved).url;
      const { href = '', origin = 'an invalid URL' } = URL.canParse(String(link), String(from))
        ? new URL(String(link), String(from))
        : {};
      const [url = ''] = href.split('#', 1);
      if (url.startsWith(address) && /^(?:[/?]|$)/.test(url.slice(address.length))) return url;
      const what = `the link to the next page leads to ${origin}, and not below the address of the operation`;
      throw fault('foreign-link', operation, `${what}, so that no credentials are sent there`);
    },
    request(called, url) {
      const { path: _path, query: _query, ...input } = given;
      const target = { path: String(url).slice(address.length), parameters: others };
      return [{ ...called, ...target }, input];
    },
  };
}

function fault(
  code: ClientErrorCode,
  { id }: OperationData,
  what: string,
  { status, headers, body, cause }: FailedCall = {},
): ClientError {
  return new ClientError(code, `${id}: ${what}.`, { operation: id, status, headers, body, cause });
}

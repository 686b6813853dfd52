/**
 * What generated code says of its contract (labels, decisions, kinds, forms, fields), what a delivery is, and the errors of
 * this package. Every other module of a receiver is built on it, so that it imports none of them.
 */

import { isExactNumber } from '../base/index.ts';

/** A value or a promise of it. `await` accepts both. */
export type MaybePromise<T> = T | Promise<T>;

/** Returns whether a value is a promise or another thenable. Convert a thenable with `Promise.resolve` before use. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

/** Calls `next` with the value. Calls it synchronously if the value is not a promise, which is many times faster. */
export function mapMaybePromise<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Why a receiver cannot be created, or a request cannot be processed. */
export type WebhookErrorCode =
  /** An option is missing or out of range. */
  | 'invalid-option'
  /** A secret is missing or empty. */
  | 'missing-secret'
  /** Other code read the body before the receiver. */
  | 'body-consumed'
  /** The body is larger than `maxBodyBytes`. */
  | 'too-large'
  /** A Lambda function was called with an event that is not an HTTP request. */
  | 'unknown-event'
  /** A replay store returned neither `claimed`, `seen` nor `busy` for a claim. */
  | 'unknown-claim'
  /** An inbox or `forward` returned neither `stored` nor `duplicate` for a delivery. */
  | 'unknown-status'
  /** An engine did not take a delivery, or does not give any more to a consumer. */
  | 'engine-failed'
  /** A text is not a delivery that `serialize` wrote. */
  | 'malformed-record'
  /** A later version of `serialize` wrote the delivery than `parse` reads. */
  | 'unknown-version'
  /** A worker's `onInvalid` took no responsibility for a delivery that violates the contract. */
  | 'invalid-delivery'
  /** The contract of a worker finds another number of events in a delivery than the contract of its receiver. */
  | 'changed-events'
  /** The handler is a stub that nobody has written yet. Only stubs throw it. */
  | 'not-written';

/** How a delivery violates the contract. It contains no value of the delivery. */
export type Rejection = Pick<InvalidDelivery, 'reason' | 'kinds' | 'violations'>;

/** The only error class of this package. Its message contains no secret and no data of a delivery. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError' as const;
  readonly code: WebhookErrorCode;
  /**
   * With the code `invalid-delivery`: the reason, the possible kinds and the violations, which an inbox stores. It is not
   * enumerable, because the pointers of violations have names that a sender can choose.
   */
  declare readonly rejection: Rejection | undefined;

  constructor(
    code: WebhookErrorCode,
    message: string,
    options: ErrorOptions & { readonly rejection?: Rejection | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, 'rejection', { value: options.rejection });
  }
}

/**
 * Returns whether an error is a `WebhookError` of this copy of the package, or of another one. A bundler can give an
 * adapter and the receiver behind it a copy each, and so can an installation with two versions. An error of other code
 * that only has the name and a code can have anything in its message.
 */
export function isWebhookError(error: unknown): error is WebhookError {
  return (
    error instanceof Error &&
    error.name === 'WebhookError' &&
    'code' in error &&
    Object.hasOwn(error, 'rejection')
  );
}

/** Creates the error for a body that was read before, with the cause and the fix. */
export function bodyConsumed(fix: string): WebhookError {
  return new WebhookError(
    'body-consumed',
    `Other code read the body before the receiver, so the delivery cannot be authenticated. ${fix}`,
  );
}

/** Creates the error for a body with more bytes than allowed. */
export function tooLarge(): WebhookError {
  return new WebhookError('too-large', 'The body is larger than `maxBodyBytes`.');
}

/** Creates the error for an option that is missing or out of range. */
export function invalid(fault: string): WebhookError {
  return new WebhookError('invalid-option', `The receiver cannot be created: ${fault}.`);
}

/** Creates the error for an option without a value, which often comes from the environment. */
export function missing(option: string): WebhookError {
  return invalid(`${option} is missing or empty; check that its environment variable is set`);
}

/** Returns every value of the header with this lower-case name, in order, or an empty array. */
export type HeaderLookup = (name: string) => readonly string[];

/**
 * Whether the receiver still waits for a body. An `AbortSignal` would do the same, but cost more than any other step of
 * a request.
 */
export interface Waiting {
  /** Whether the receiver no longer waits. */
  readonly isOver: boolean;
  /** Registers the only listener, which is called as soon as the receiver no longer waits. */
  readonly whenOver: (listener: () => void) => void;
}

/** A request as an adapter passes it to the receiver, with nothing validated, decoded or read. */
export interface IncomingRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query exactly as received. */
  readonly target: string;
  readonly headers: HeaderLookup;
  /**
   * Reads the raw bytes of the whole body. Returns them synchronously where possible, which is faster. Fails with a
   * `WebhookError`: `too-large` as soon as it has more than `maxBytes`, or `body-consumed` where other code has read
   * it before. Any other error counts as an unreadable body, and after the time limit all errors are ignored.
   */
  readonly read: (maxBytes: number, waiting: Waiting) => MaybePromise<Uint8Array>;
  /**
   * What the host knows of the connection: the socket on Node, `requestContext` of an event of AWS Lambda, `cf` of a
   * request to a Worker. Only authentication reads it.
   */
  readonly connection?: unknown;
  /** Keeps the platform running for work that continues after the response. The work never rejects. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/** A request with its raw body, for authentication. */
export interface DeliveredRequest {
  readonly method: string;
  /** Path and query exactly as received. Named `url` as in signature schemes. */
  readonly url: string;
  readonly headers: HeaderLookup;
  readonly body: Uint8Array;
  /** The `connection` of `IncomingRequest`; `undefined` where the adapter has none. */
  readonly connection?: unknown;
}

/** The parts of a request target. For an absolute URL, they exclude scheme and host. */
export interface Target {
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
}

/** Splits a request target. Does not decode or normalize it. */
export function splitTarget(target: string): Target {
  const host = target.startsWith('/') ? null : /^[a-z][\w+.-]*:\/\/[^/?#]*/iu.exec(target);
  const rest = host === null ? target : target.slice(host[0].length) || '/';
  const mark = rest.indexOf('?');
  return mark < 0
    ? { path: rest, query: '' }
    : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

/**
 * Returns the decoded segments of a path. Returns `undefined` where servers could resolve the path differently.
 * Examples are empty segments, dot segments (also encoded or before `;`), encoded separators, backslashes, number signs
 * and control characters.
 */
export function pathSegments(path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const segments: string[] = [];
  const isPlain = !special.test(path);
  // A trailing slash adds no segment.
  for (let start = 1; start < path.length;) {
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    const segment = decodeSegment(path.slice(start, end), isPlain);
    if (segment === undefined || segment === '') return undefined;
    segments.push(segment);
    start = end + 1;
  }
  return segments;
}

/**
 * Returns a target without secret segments of its path, which are given decoded. Of equal segments, the first is left out:
 * a label is behind the registered URL, and can have the same text.
 */
export function withoutSegments(target: Target, secret: readonly string[]): Target {
  if (secret.length === 0) return target;
  const [, ...segments] = target.path.split('/');
  for (const secretSegment of new Set(secret)) {
    const at = segments.findIndex((segment) => pathSegments(`/${segment}`)?.[0] === secretSegment);
    if (at >= 0) segments.splice(at, 1);
  }
  return { path: `/${segments.join('/')}`, query: target.query };
}

/** The decoded segments of a path on both sides of its one empty segment. */
export interface JoinedSegments {
  readonly before: readonly string[];
  readonly behind: readonly string[];
}

/**
 * Returns the segments of a path whose only irregularity is one empty segment, as a sender writes it that appends a
 * label to a URL with a trailing slash. Returns `undefined` for any other path.
 */
export function joinedSegments(path: string): JoinedSegments | undefined {
  const join = path.indexOf('//');
  if (join < 0 || path.includes('//', join + 1)) return undefined;
  const before = pathSegments(path.slice(0, join + 1));
  const behind = pathSegments(path.slice(join + 1));
  return before === undefined || behind === undefined ? undefined : { before, behind };
}

/**
 * Returns the parameters of a query, decoded as form data. A question mark at the start belongs to the first name, as in
 * `URL`: a part of a query has the same meaning at any place.
 */
export function parseQuery(query: string): URLSearchParams {
  return new URLSearchParams(`?${query}`);
}

/** Returns every value of a query parameter, decoded as form data. */
export function queryValues(query: string, name: string): readonly string[] {
  return query === '' ? [] : parseQuery(query).getAll(name);
}

/**
 * Returns whether a path is a base path or below it. A path that servers could resolve differently is below it where one
 * of them could find it there, so that a delivery at such a path is not lost to another handler.
 * @param base without a trailing slash; empty for the root
 */
export function isAtOrBelow(base: string, path: string): boolean {
  if (path === base || path.startsWith(`${base}/`)) return true;
  if (pathSegments(path) !== undefined) return false;
  const segments = resolveSegments(path);
  return resolveSegments(base).every((segment, index) => segment === segments[index]);
}

/** Returns the segments of any path, as a server that accepts every path could resolve them. */
export function resolveSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const rawSegment of (path.split('#', 1)[0] ?? '').split(/[/\\]|%2f|%5c/iu)) {
    const segment = (rawSegment.split(';', 1)[0] ?? '').replaceAll(/%2e/giu, '.');
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(decodeIfPossible(segment));
  }
  return segments;
}

function decodeIfPossible(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** @param isPlain whether it needs no decoding, and nothing in it could be read as another segment */
function decodeSegment(encoded: string, isPlain: boolean): string | undefined {
  if (isPlain || !special.test(encoded))
    return encoded === '.' || encoded === '..' ? undefined : encoded;
  // Some servers and clients remove it with what follows.
  if (encoded.includes('#')) return undefined;
  let segment: string;
  try {
    segment = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  // A server behind this one could decode it again, to another segment.
  if (separators.test(segment) || /%(?:2e|2f|5c|25)/iu.test(segment)) return undefined;
  return /^\.{1,2}(?:;|$)/u.test(segment) ? undefined : segment;
}

// oxlint-disable no-control-regex -- control characters are what they look for
const special = /[\u0000-\u0020\u007f%;\\#]/u;
const separators = /[/\\\u0000-\u001f\u007f]/u;

/** The path of a label, as segments, with the kinds of the label. */
export interface Route {
  /** The segments: decoded literal text, or parameters with the text around them. */
  readonly segments: readonly RouteSegment[];
  /** The kinds by method in upper case. An empty method matches any. */
  readonly kinds: readonly { readonly method: string; readonly kinds: readonly string[] }[];
}

/** A literal, or literals around parameters. There is one literal more than parameters, and it may be empty. */
export type RouteSegment =
  | string
  | { readonly literals: readonly string[]; readonly parameters: readonly string[] };

/** The label that matches a path. */
export interface Labelled {
  readonly kinds: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Finds the label that matches a path: all of it, or the part after the mount path. The first matching route counts;
 * routes are ordered by length, then by how many literals they have.
 */
export function findRoute(
  routes: readonly Route[],
  path: readonly string[],
  method: string,
  mount: readonly string[] | undefined,
): Labelled | undefined {
  const isBelow = mount?.every((segment, index) => path[index] === segment) ?? true;
  if (!isBelow) return undefined;
  for (const route of routes) {
    const start = path.length - route.segments.length;
    if (start < 0 || (mount !== undefined && start !== mount.length)) continue;
    // A label without segments would match the end of every path. It matches only the mount path itself.
    if (route.segments.length === 0 && start > (mount?.length ?? 0)) continue;
    const parameters = matchSegments(route.segments, path, start);
    if (parameters !== undefined) return { kinds: kindsFor(route, method), parameters };
  }
  return undefined;
}

/** Returns the kinds for a method. The method narrows them only where the contract distinguishes them by it. */
function kindsFor({ kinds }: Route, method: string): readonly string[] {
  const [only] = kinds;
  if (only !== undefined && kinds.length === 1) return only.kinds;
  const matchingEntries = kinds.filter((entry) => entry.method === method || entry.method === '');
  return (matchingEntries.length > 0 ? matchingEntries : kinds).flatMap((entry) => entry.kinds);
}

function matchSegments(
  segments: readonly RouteSegment[],
  path: readonly string[],
  start: number,
): Readonly<Record<string, string>> | undefined {
  // Compares literals first, because most paths differ from most labels in one of them.
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index];
    if (typeof segment === 'string' && segment !== path[start + index]) return undefined;
  }
  let parameters: Record<string, string> | undefined;
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index];
    if (typeof segment !== 'object') continue;
    parameters ??= Object.create(null) as Record<string, string>;
    if (!matchSegment(segment, path[start + index] ?? '', parameters)) return undefined;
  }
  return parameters ?? noParameters;
}

/** The parameters of a path without any. */
const noParameters: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

/** Matches a segment. Each parameter takes as little text as possible, the last one the rest. None is empty. */
function matchSegment(
  { literals, parameters }: Exclude<RouteSegment, string>,
  text: string,
  into: Record<string, string>,
): boolean {
  const [first = ''] = literals;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, name] of parameters.entries()) {
    const behind = literals[index + 1] ?? '';
    const isLast = index === parameters.length - 1;
    const end = isLast
      ? text.length - behind.length
      : behind === ''
        ? at + 1
        : text.indexOf(behind, at + 1);
    if (end <= at || !text.startsWith(behind, end)) return false;
    into[name] = text.slice(at, end);
    at = end + behind.length;
  }
  return at === text.length;
}

/** The method and path that the contract gives a notification. */
export interface Label {
  /** In upper case; absent where the contract states none. */
  readonly method?: string;
  /** A path template as in OpenAPI, such as `/a/{id}`. */
  readonly path: string;
}

/**
 * Creates a test of whether a target matches the path of a label, or is the mount path itself. Targets are relative to
 * the mount path. Methods are ignored. A target whose path servers could resolve differently matches where it could end
 * in the path of a label, so that a delivery there reaches the receiver.
 */
export function createLabelTest(labels: readonly Label[]): (target: string) => boolean {
  const root: Route = { segments: [], kinds: [] };
  const routes = [
    root,
    ...labels.map(({ path }): Route => ({ segments: toSegments(path), kinds: [] })),
  ];
  return (target) => {
    const segments = pathSegments(splitTarget(target).path);
    if (segments !== undefined) return findRoute(routes, segments, '', []) !== undefined;
    return (
      findRoute(routes, resolveSegments(splitTarget(target).path), '', undefined) !== undefined
    );
  };
}

function toSegments(template: string): readonly RouteSegment[] {
  return template
    .split(/[?#]/u, 1)
    .join('')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      // Requests are compared decoded.
      const parts = segment.split(/\{([^{}]*)\}/u);
      if (parts.length === 1) return decodeIfPossible(segment);
      return {
        literals: parts.filter((_, index) => index % 2 === 0).map(decodeIfPossible),
        parameters: parts.filter((_, index) => index % 2 === 1),
      };
    });
}

/** The location of a value that a decision or a replay key depends on. */
export type Read =
  /** The path to a member of the body; the whole body where it is empty. */
  | { readonly body: readonly string[] }
  /** The header's name in lower case. */
  | { readonly header: string }
  | { readonly query: string }
  /** A parameter of the label's path template. */
  | { readonly parameter: string }
  | 'method'
  | 'path'
  /** The raw bytes of the body. */
  | 'raw';

/** The next step of a decision: the index of a node, or the resulting names. */
export type Next = number | readonly string[];

/** The types of values that a decision distinguishes. An integer is `integer` and never `number`. */
export type ValueType =
  | 'absent'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'array'
  | 'object';

/**
 * A test of one value. It matches `values` first, then `types`, and uses `rest` otherwise. With a pattern, it matches
 * `true` where the value is a text that the pattern matches, and `false` otherwise.
 */
export interface DecisionNode {
  /** Index in the catalogue's `reads`. */
  readonly read: number;
  /** A regular expression without the flags `g` and `y`. The generator has checked that it takes linear time. */
  readonly pattern?: RegExp;
  readonly values?: ReadonlyMap<unknown, Next>;
  readonly types?: { readonly [type in ValueType]?: Next };
  readonly rest: Next;
}

/** A decision tree that finds the names that apply to a delivery. It reads each value at most once. */
export interface Decision {
  readonly nodes: readonly DecisionNode[];
  readonly start: Next;
}

/** The parts of a delivery that values are read from. */
export interface Readable {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderLookup;
  readonly parameters: Readonly<Record<string, string>>;
  readonly raw: Uint8Array;
  /** Values of headers and query parameters, and keys of the raw bytes, which each event of a delivery shares. */
  readonly cache: Map<unknown, unknown>;
}

/** Evaluates a decision and returns its resulting names. */
export function decide(
  decision: Decision,
  reads: readonly Read[],
  from: Readable,
  body: unknown,
): readonly string[] {
  let next = decision.start;
  while (typeof next === 'number') {
    const node: DecisionNode | undefined = decision.nodes[next];
    if (node === undefined) return [];
    const read = readValue(reads[node.read] ?? 'method', from, body);
    const value =
      node.pattern === undefined ? read : typeof read === 'string' && node.pattern.test(read);
    next = node.values?.get(value) ?? node.types?.[typeOf(value)] ?? node.rest;
  }
  return next;
}

/**
 * Returns the value at a location, or `undefined` where there is none. A repeated header or query parameter has no
 * value.
 */
export function readValue(read: Read, from: Readable, body: unknown): unknown {
  if (typeof read === 'string') return read === 'raw' ? from.raw : from[read];
  if ('body' in read) return memberAt(body, read.body);
  if ('parameter' in read)
    return Object.hasOwn(from.parameters, read.parameter)
      ? from.parameters[read.parameter]
      : undefined;
  if (from.cache.has(read)) return from.cache.get(read);
  const values = 'header' in read ? from.headers(read.header) : queryValues(from.query, read.query);
  const value = values.length === 1 ? values[0] : undefined;
  from.cache.set(read, value);
  return value;
}

/** Returns the value at the unescaped members of a JSON Pointer, or `undefined` where there is none. */
export function memberAt(value: unknown, members: readonly string[]): unknown {
  let here = value;
  for (const member of members) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, member)) return undefined;
    if (Array.isArray(here) && !/^\d/u.test(member)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[member];
  }
  return here;
}

function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return 'absent';
  }
}

/**
 * The values that have another form on the wire at one location of a value. The first node of a list is for the whole
 * value.
 */
export interface NormalizationNode {
  /** Members that count as missing where they have one of the values. */
  readonly values: readonly (readonly [member: string, values: readonly unknown[]])[];
  /** Members to look into, with the index of their node. */
  readonly members: readonly (readonly [member: string, node: number])[];
  /** The index of the node for elements of an array. */
  readonly items?: number;
  /** Whether the value is a number that can be written as a text. */
  readonly number?: true;
}

/**
 * Returns a value without the members that count as missing, and with the numbers that are written as texts. A text that
 * no double represents exactly stays a text. Returns the same value where nothing changes.
 */
export function normalizeValue(
  value: unknown,
  nodes: readonly NormalizationNode[],
  at = 0,
): unknown {
  const node = nodes[at];
  if (node === undefined) return value;
  if (typeof value === 'string') return node.number === true ? toNumber(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return value;
    const elements = value.map((element: unknown) => normalizeValue(element, nodes, items));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  const record = value as Readonly<Record<string, unknown>>;
  let changes: Map<string, unknown> | undefined;
  // Most values have nothing that counts as missing, so nothing is created for them.
  for (const [name, values] of node.values)
    if (values.includes(record[name]) && Object.hasOwn(record, name))
      (changes ??= new Map()).set(name, undefined);
  for (const [name, inner] of node.members) {
    const originalMember = record[name];
    if (typeof originalMember !== 'object' && typeof originalMember !== 'string') continue;
    const member = normalizeValue(originalMember, nodes, inner);
    if (member === originalMember || !Object.hasOwn(record, name)) continue;
    if (changes?.has(name) !== true) (changes ??= new Map()).set(name, member);
  }
  return changes === undefined ? value : withChanges(record, changes);
}

const numberText = /^-?\d+(?:\.\d+)?$/u;

function toNumber(text: string): unknown {
  return numberText.test(text) && isExactNumber(text) ? Number(text) : text;
}

/** Returns an object with other members, and without those that are changed to `undefined`. */
function withChanges(
  record: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): unknown {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, member]): [string, unknown][] => {
      if (!changes.has(name)) return [[name, member]];
      const change = changes.get(name);
      return change === undefined ? [] : [[name, change]];
    }),
  );
}

/** A violation of the contract by a body. Its texts come from the contract, and contain no value of the body. */
export interface Violation {
  /** JSON Pointer (RFC 6901) into the body as it was received; empty for the whole body. */
  readonly pointer: string;
  /** The violated keyword of JSON Schema, or a keyword of the receiver, such as `kind` or `form`. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
  /** The index of the event that it concerns, where the body has an array of events. */
  readonly index?: number;
}

/** Maximum number of violations of a delivery that are listed. Further ones are not; the verdict does not depend on it. */
export const maxViolations = 100;

/** The compiled validation of a body. Neither function throws. */
export interface Check {
  readonly accepts: (value: unknown) => boolean;
  /** Returns the first violations, at most a fixed number. */
  readonly violations: (value: unknown) => readonly Violation[];
}

/** One of several representations of a body, with its own schema. */
export interface Representation {
  /** As the contract writes it, with its parameters. */
  readonly mediaType: string;
  readonly check: Check;
}

/** A kind of event. */
export interface Kind {
  /** Validates a body in the canonical format. */
  readonly check: Check;
  /** The representations of the body, where their schemas differ. `check` accepts what one of them does. */
  readonly representations?: readonly Representation[];
  /** The values that have another form on the wire. They are converted before anything else. */
  readonly normalization?: readonly NormalizationNode[];
  /**
   * What a signature in the body covers. Left out where there is none. An attacker who captured a delivery can change
   * everything else in the body.
   */
  readonly signed?: SignedMembers;
  /** The values that identify duplicates. Without any, no two events count as duplicates. */
  readonly dedupeBy?: readonly Read[];
  /** The values that give an event its order key. Without any, an inbox keeps no order. */
  readonly orderedBy?: readonly Read[];
}

/** The members that a signature in the body covers. */
interface SignedMembers {
  /** The path to the array whose elements have the signatures; left out where the body has one. */
  readonly each?: readonly string[];
  /** The paths of the members in the canonical format. */
  readonly members: readonly (readonly string[])[];
}

/** The compiled validation of a body in a wire variant, as one payload. */
export interface FormCheck extends Check {
  /** The kinds with this payload; left out where all kinds of the variant have it. */
  readonly kinds?: readonly string[];
}

/** A wire variant: another wire format of the same payload. */
export interface Form {
  /** The name in the contract. */
  readonly name: string;
  /** The kinds that can be sent in this variant. */
  readonly kinds: readonly string[];
  /** Path to an array with one value in each element; absent where the body is a single value. */
  readonly each?: readonly string[];
  /** Path to the location of a value in the canonical format. */
  readonly as: readonly string[];
  /**
   * Members of a value that are signed with it, so that a member of the same name beside the array must not stand for
   * one that an element lacks. Left out where nothing is signed.
   */
  readonly signed?: readonly string[];
  /** Member names of this variant, mapped to those of the canonical format. */
  readonly rename: ReadonlyMap<string, string>;
  /** Validates the whole body in this variant, each as another payload. An element is validated as those of its kinds. */
  readonly checks: readonly FormCheck[];
}

/** The contract as a receiver reads it, precomputed by the generator. */
export interface Catalogue {
  /** The default of the receiver's option `name`. */
  readonly name: string;
  readonly kinds: ReadonlyMap<string, Kind>;
  /**
   * Names of the unions of kinds that a body alone may not distinguish. The key is the names of the kinds, joined with
   * a space.
   */
  readonly unions: ReadonlyMap<string, string>;
  /** Ordered from the most to the least specific. */
  readonly routes: readonly Route[];
  /** The HTTP methods of all notifications. */
  readonly methods: readonly string[];
  /** The values that decisions read; nodes refer to them by index. */
  readonly reads: readonly Read[];
  /** Determines which kinds a value in the canonical format can have. */
  readonly kindOf: Decision;
  /**
   * Determines the kinds as which a value of no kind is refused, because it resembles them. Left out where each value
   * of no kind is only unknown.
   */
  readonly resembles?: Decision;
  /**
   * The kinds that their schema decides, where only such kinds remain and exactly one of their schemas accepts the value.
   * Left out where there are none.
   */
  readonly bySchema?: ReadonlySet<string>;
  readonly forms: ReadonlyMap<string, Form>;
  /** Determines which wire variants a body can have. No variant means the canonical format. */
  readonly formOf: Decision;
  /**
   * Returns the catalogue in which kinds have the check of the representation of a delivery: `selectRepresentations`. Left
   * out where no kind has several.
   */
  readonly select?: (catalogue: Catalogue, from: Readable) => Catalogue;
  /** How the kinds are written that are not JSON. Without it, all are, and bundles have no code for others. */
  readonly fields?: CatalogueFields;
}

/** The kinds that are written as a form or a query, and the function that reads them: `readFields`. */
export interface CatalogueFields {
  readonly kinds: ReadonlyMap<string, KindFields>;
  readonly read: (
    catalogue: Catalogue,
    fields: ReadonlyMap<string, KindFields>,
    from: Readable,
    label: readonly string[] | undefined,
    rules: ParseRules,
  ) => ParsedBody;
}

/** The JSON types that a value in a form or in a query can have, with those of its elements and members. */
export interface FieldShape {
  readonly types: readonly string[];
  readonly items?: FieldShape;
  readonly properties?: Readonly<Record<string, FieldShape>>;
  /** The shape of the other members of an object. */
  readonly others?: FieldShape;
}

/** A member of the data, as a form or a query carries it. */
export interface Field {
  readonly shape: FieldShape;
  /**
   * What separates the elements of an array that is one text, or the names and values of an object; without it, each
   * element repeats the name.
   */
  readonly delimiter?: ',' | ' ' | '|';
  /** Whether the members of an object have separate names, beside those of other fields. */
  readonly spread?: true;
}

/** How the data of a kind is written that is not JSON. */
export interface KindFields {
  /**
   * `body`: as a form. `query`: as parameters of the query, without a body. `xml` and `any` are not read: no other data
   * is XML, but text and bytes (`any`) can look like all other data.
   */
  readonly in: 'body' | 'query' | 'xml' | 'any';
  /** Whether it can be written as JSON too. */
  readonly isJson?: true;
  readonly fields: Readonly<Record<string, Field>>;
  /** The shape of the members that are no fields. */
  readonly others?: FieldShape;
}

/** The rules for parsing bodies. */
export interface ParseRules {
  /** Whether duplicate keys, prototype keys, depth and inexact numbers are checked. */
  readonly strict: boolean;
  /** Maximum nesting depth of objects and arrays. */
  readonly maxDepth: number;
}

/** What is wrong with member names. */
export type NameFault =
  | 'duplicate-key'
  /** A member `__proto__`, or `prototype` inside a `constructor`. */
  | 'prototype-key';

/** Why a body is refused before it is identified. */
export type BodyFault =
  | NameFault
  /** It has more levels of objects and arrays than `maxDepth`. */
  | 'too-deep'
  | 'not-utf-8'
  | 'not-json';

/** The parsed JSON value of a body, or why the body is refused. */
export type ParsedBody =
  | {
      readonly fault: BodyFault;
      /** The text of the body; left out where it is not UTF-8. */
      readonly text?: string | undefined;
    }
  | (BodyContent & { readonly fault?: undefined; readonly text: string });

/** What a body contains. */
export interface BodyContent {
  /** The value with every number as a double, for identification and validation. */
  readonly value: unknown;
  /** The value with a text in place of each number that no double represents exactly. */
  readonly exact: unknown;
  /** The kinds that are written as the delivery is; left out where all kinds are. */
  readonly kinds?: readonly string[];
}

const noBody: Uint8Array = new Uint8Array(0);
const noTarget: Target = { path: '', query: '' };

/** A delivery while it is received. Values that are expensive to create are created on first access. */
export class Delivery implements Readable, Waiting {
  readonly request: IncomingRequest;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The raw bytes of the body; empty until the body has been read. */
  body: Uint8Array = noBody;
  /** The path and query of the request, without a secret in the path; set once it is opened. */
  target: Target = noTarget;
  /** The decoded segments of the path that are secret, set once the delivery is authenticated. */
  secretSegments: readonly string[] = [];
  /** The parameters of the label's path, decoded. */
  parameters: Readonly<Record<string, string>> = noParameters;
  /** What its record says unless how it ended says more. */
  declare note?: { readonly detail: string };
  #id: string | undefined;
  #cache: Map<unknown, unknown> | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;
  #isOver = false;

  /** @param id the id of a delivery that was received before */
  constructor(request: IncomingRequest, receivedAt: number, id?: string) {
    this.request = request;
    this.receivedAt = receivedAt;
    this.#id = id;
  }

  get method(): string {
    return this.request.method;
  }

  get headers(): HeaderLookup {
    return this.request.headers;
  }

  get raw(): Uint8Array {
    return this.body;
  }

  get path(): string {
    return this.target.path;
  }

  get query(): string {
    return this.target.query;
  }

  get cache(): Map<unknown, unknown> {
    return (this.#cache ??= new Map());
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  /** Aborted when the time for the delivery is over. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Whether the time for the delivery is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  whenOver(listener: () => void): void {
    this.#listener = listener;
  }

  end(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.#listener?.();
  }
}

/** An event as its handler gets it. */
export interface Event<Kind extends string = string, Data = unknown, Form extends string = string> {
  readonly kind: Kind;
  readonly ambiguous: false;
  /** The wire variant in which it was sent, or `canonical`. */
  readonly form: Form;
  /**
   * `schema`: nothing that the contract states distinguishes the kind from others, and only its schema accepts the value.
   * Left out for any other event.
   */
  readonly recognizedBy?: 'schema';
  /** The value in the canonical format. It keeps members that the contract does not declare. */
  readonly data: Data;
}

/** An event that can be of several kinds, where the delivery does not show which. */
export interface AmbiguousEvent<
  Kind extends string = string,
  Kinds extends readonly string[] = readonly string[],
  Data = unknown,
  Form extends string = string,
> {
  readonly kind: Kind;
  readonly ambiguous: true;
  /** The kinds that it can be. */
  readonly kinds: Kinds;
  readonly form: Form;
  /** A value that is valid for at least one of the kinds. */
  readonly data: Data;
}

/** An authentic delivery that matches none of the contract's kinds. */
export interface UnidentifiedEvent {
  readonly kind: null;
  readonly ambiguous: false;
  readonly form: string;
  readonly data: unknown;
}

/** `T` with each number type widened by `string`: numbers that no double represents exactly arrive as text. */
export type NumbersAsText<T> = T extends number
  ? T | string
  : T extends string
    ? // A branded string type would otherwise match `object`.
      T
    : T extends object
      ? { readonly [K in keyof T]: NumbersAsText<T[K]> }
      : T;

/** The delivery of an event, for its handler. Contexts of two copies of this package have the same type. */
export interface DeliveryContext extends Pick<ContextOfDelivery, keyof ContextOfDelivery> {}

/** Gives a handler its delivery. Printing or serializing it does not expose the delivery. */
export class ContextOfDelivery {
  /** The index of this event in the delivery, from 0. */
  readonly index: number;
  /** The number of events in the delivery. */
  readonly count: number;
  readonly #delivery: Delivery;

  constructor(index: number, count: number, delivery: Delivery) {
    this.index = index;
    this.count = count;
    this.#delivery = delivery;
  }

  /** An id that the receiver creates for the delivery. All its events and its `DeliveryRecord` have the same id. */
  get id(): string {
    return this.#delivery.id;
  }

  /** The time when the receiver got the request. */
  get receivedAt(): Date {
    return new Date(this.#delivery.receivedAt);
  }

  /** The raw bytes of the body. */
  get body(): Uint8Array {
    return this.#delivery.body;
  }

  /** The values of a request header by its lower-case name. Trust only headers that the signature covers. */
  get headers(): HeaderLookup {
    return this.#delivery.headers;
  }

  /** The parameters of the label's path, decoded. They are not compared with the body. */
  get parameters(): Readonly<Record<string, string>> {
    return this.#delivery.parameters;
  }

  /** The values of a parameter of the query, decoded. Trust only parameters that the signature covers. */
  get query(): (name: string) => readonly string[] {
    const { query } = this.#delivery;
    return (name) => queryValues(query, name);
  }

  /** Aborted when the time for this delivery is over. */
  get signal(): AbortSignal {
    return this.#delivery.signal;
  }
}

/** Why an authentic body is not valid. */
export type InvalidReason =
  /** It violates the schema of its kind or wire variant. */
  | 'schema'
  /** It is valid for a kind that its label does not have. */
  | 'other-kind'
  /** It matches several wire variants, or cannot be converted from its wire variant. */
  | 'form'
  /** Its label or wire variant has several kinds, and it matches none of them. */
  | 'no-kind'
  /**
   * It matches no kind: it contradicts what the contract states about the kinds that it resembles, such as an answer of
   * the ledger.
   */
  | 'contradiction'
  /** It has a number that no double represents exactly, and `numbers` is `refuse`; or a number too large for a double. */
  | 'number'
  /** It is not JSON, or fails the strict checks: a duplicate key, a prototype key, or too many levels. */
  | 'body'
  /** It has a content encoding, such as gzip, or is not UTF-8. */
  | 'encoding'
  /** Different servers could resolve the path of the request differently. */
  | 'path';

/** An authentic delivery that violates the contract. Nothing of it was claimed or handled before. */
export interface InvalidDelivery<Kind extends string = string, E = unknown> {
  readonly reason: InvalidReason;
  /** The kinds that it should have, or could have; empty where the delivery does not show any. */
  readonly kinds: readonly Kind[];
  /** The violations of the contract, at most the first 100, with JSON Pointers into the received body. */
  readonly violations: readonly Violation[];
  /** The text of the body; empty where it is not UTF-8 or has a content encoding. The context has its bytes. */
  readonly text: string;
  /**
   * The parsed JSON body. Numbers that no double represents exactly are texts, whatever `numbers` says. It is `undefined`
   * for the reasons `body` and `encoding`, because such a body has no safe or unique value.
   */
  readonly data: unknown;
  /**
   * The valid events among those of the body, with the index of each. It is empty where the body is one event. Their
   * handlers run only where `onInvalid` returns `dispatch-valid`.
   */
  readonly events: readonly { readonly index: number; readonly event: E }[];
}

/**
 * What `onInvalid` can return to have an invalid delivery acknowledged:
 *
 * - `accept`: the application has stored the delivery and takes responsibility for it.
 * - `dispatch-valid`: the application takes responsibility for what is invalid, and the handlers of the valid events run.
 */
export type InvalidAnswer = 'accept' | 'dispatch-valid';

/** Handles one event. The delivery is acknowledged only after the handler has returned or its promise has resolved. */
export type Handler<E> = (event: E, context: DeliveryContext) => unknown;

/** How a delivery ended; selects its response. */
export type Reason =
  /** Every handler succeeded. */
  | 'handled'
  /** The inbox or `forward` stored it, valid or not. */
  | 'stored'
  /** Authentic, but encoded, not JSON in UTF-8, refused by the strict checks, or at an unclear path: it is stored. */
  | 'stored-malformed'
  /** All of its events were handled or stored before. */
  | 'duplicate'
  /** Authentic, but matches no kind: `otherwise` handled it. */
  | 'unidentified'
  /** Authentic, but violates the contract: `onInvalid` handled it. */
  | 'invalid'
  /** Authentic, but violates the contract: `onInvalid` took responsibility for it. */
  | 'accepted'
  /** `authenticate` refused it. */
  | 'unauthentic'
  /** Authentic, but not UTF-8, not JSON, or refused by the strict checks; `onInvalid` gets the delivery. */
  | 'malformed-body'
  /** Authentic, but at a path that servers could resolve differently; `onInvalid` gets the delivery. */
  | 'malformed-path'
  /** The HTTP method is not among the accepted ones. */
  | 'wrong-method'
  /** The body did not arrive in time. */
  | 'too-slow'
  /** The body is larger than `maxBodyBytes`. */
  | 'too-large'
  /** Authentic, but the body has a content encoding, such as gzip; `onInvalid` gets the delivery. */
  | 'encoded-body'
  /** The body is incomplete or cannot be read. */
  | 'unreadable'
  /** Other code read the body before the receiver. */
  | 'body-consumed'
  /** `authenticate` threw an error. */
  | 'authentication-failed'
  /** A handler or `onInvalid` threw an error. */
  | 'handler-failed'
  /** A handler, `onInvalid` or `authenticate` did not finish in time. */
  | 'out-of-time'
  /** Another delivery of the same event is being handled. */
  | 'in-progress'
  /** The replay store, the inbox or `forward` threw an error, did not finish in time, or returned an unknown result. */
  | 'store-failed';

/** A response. It contains no data of the delivery. */
interface Response {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The response that an adapter sends, and the reason for it. */
export interface Outcome extends Response {
  readonly reason: Reason;
}

/** Overrides of the default responses, by reason: a status from 200 to 599, or a whole response. */
export type Responses = { readonly [reason in Reason]?: number | Response };

const statuses: Readonly<Record<Reason, number>> = {
  handled: 200,
  stored: 200,
  'stored-malformed': 200,
  duplicate: 200,
  unidentified: 200,
  invalid: 422,
  accepted: 200,
  unauthentic: 401,
  'malformed-body': 400,
  'malformed-path': 404,
  'wrong-method': 405,
  'too-slow': 408,
  'too-large': 413,
  'encoded-body': 415,
  unreadable: 400,
  'body-consumed': 500,
  'authentication-failed': 500,
  'handler-failed': 500,
  'out-of-time': 503,
  'in-progress': 503,
  'store-failed': 503,
};

/** Reasons for which the body may be incomplete. The response closes the connection, because no request can follow. */
const unread: ReadonlySet<Reason> = new Set<Reason>([
  'wrong-method',
  'too-slow',
  'too-large',
  'unreadable',
]);

/**
 * Creates the response for each reason.
 * @throws WebhookError `invalid-option` for a status outside 200 to 599 or an unknown reason
 */
export function createOutcomes(
  responses: Responses,
  methods: readonly string[],
): Readonly<Record<Reason, Outcome>> {
  const make = (reason: Reason): Outcome => {
    const responseOrStatus = responses[reason] ?? statuses[reason];
    const response =
      typeof responseOrStatus === 'number' ? usual(reason, responseOrStatus) : responseOrStatus;
    const { status } = response;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw invalid(`the response to ${reason} must have a status from 200 to 599`);
    const headers = {
      ...(reason === 'wrong-method' ? { allow: methods.join(', ') } : {}),
      ...(reason === 'in-progress' || reason === 'out-of-time' ? { 'retry-after': '5' } : {}),
      ...(unread.has(reason) ? { connection: 'close' } : {}),
      ...response.headers,
    };
    return Object.freeze({ ...response, headers: Object.freeze(headers), reason });
  };
  const reasons = Object.keys(statuses) as readonly Reason[];
  const unknown = Object.keys(responses).find((reason) => !Object.hasOwn(statuses, reason));
  if (unknown !== undefined) throw invalid(`\`responses\` has the unknown reason ${unknown}`);
  return Object.fromEntries(reasons.map((reason) => [reason, make(reason)])) as Record<
    Reason,
    Outcome
  >;
}

/** Returns the default response. It gives the sender only the reason, as a word to look up. */
function usual(reason: Reason, status: number): Response {
  if (status < 300) return { status };
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: `{"error":"${reason}"}`,
  };
}

/** The kinds of a delivery's events, one for each; `null` for an event that matches no kind. */
export type Kinds = readonly (string | null)[];

/** The end of a delivery, for its response and its record. */
export interface Ending {
  readonly reason: Reason;
  readonly detail?: string;
  readonly kinds?: Kinds;
  readonly error?: unknown;
  readonly late?: true;
}

/** One event of a delivery, as an inbox or an engine stores it. */
export interface ReceivedEvent {
  /** The name of its kind, or of a union of kinds. */
  readonly kind?: string;
  /**
   * The name of the receiver, and the order key of the event. Events with the same one are handled in the order in which
   * their deliveries were stored.
   */
  readonly orderKey?: string;
  /** The name of the receiver, and a digest of what makes two deliveries the same event. */
  readonly identity?: string;
  /**
   * The order key and the identity that receivers without names stored for the event. An inbox that they wrote to
   * recognizes them: an event of such an identity is a duplicate, and one of such a key waits for the events that are still
   * in its queue.
   */
  readonly formerOrderKey?: string;
  readonly formerIdentity?: string;
}

/** The context of a trace, as W3C Trace Context writes it in headers. */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** An authentic delivery, as an inbox or an engine stores it. It has no secret and no credential. */
export interface StoredDelivery {
  /**
   * Equal for two deliveries of the same events, if the contract or `identifyBy` states what makes them the same. Any
   * other delivery has an id of its own.
   */
  readonly id: string;
  /** When the receiver got it, in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly method: string;
  /** Path and query; of the query, only what identification and keys read. */
  readonly target: string;
  /** The headers that identification and keys read, and the name of the receiver as `:receiver`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The receiver's result: `valid`, or the reason why the delivery is not. It is judged again when it is handled. */
  readonly verdict: string;
  /** How the delivery violates the contract, if it does. It has no value of the delivery. */
  readonly rejection?: Rejection | undefined;
  /** The order key that all of its events have. Left out if one of them has none or another one. */
  readonly orderKey?: string | undefined;
  /** The events; one for a delivery that is not valid. Each has an id, which is made as that of the delivery. */
  readonly events: readonly (ReceivedEvent & { readonly id: string })[];
  /** The trace that handling the delivery continues. The receiver sets none: `forward` can. */
  readonly trace?: TraceContext | undefined;
}

/** The result of storing a delivery. Both are acknowledged. */
export interface Stored {
  /** `duplicate`: all of its events were stored before. */
  readonly status: 'stored' | 'duplicate';
}

/** Stores deliveries. `createInbox` of the entry `inbox` creates one. */
export interface DeliveryInbox {
  /** Stores a delivery with all its events. Resolves after that is durable, and rejects otherwise. */
  readonly receive: (delivery: StoredDelivery) => Promise<Stored>;
}

/**
 * Puts a delivery on an engine, for example as the text that `serialize` returns. Resolves after the engine has stored
 * it, with nothing or with a result, and rejects otherwise: the delivery is then answered with 503.
 * @param signal is aborted when the receiver waits no longer, and has answered with 503
 */
export type Forward = (
  delivery: StoredDelivery,
  signal: AbortSignal,
) => Promise<Stored | undefined> | Promise<void>;

/** What is stored of a request beside method, path and body. */
export interface StoredParts {
  /** Names of headers. */
  readonly headers?: readonly string[];
  /** Names of query parameters. */
  readonly query?: readonly string[];
}

/** The keys of events that the application states, in place of those of the contract. */
export interface EventKeys<E> {
  /** Returns the order key of an event; `undefined` for an event without order. */
  readonly orderBy?: (event: E) => string | undefined;
  /** Returns what makes two deliveries the same event; `undefined` for an event that has no duplicates. */
  readonly identifyBy?: (event: E) => string | undefined;
}

/** What a delivery contains that an inbox stored as one event without knowing it. */
export interface DeliveryContent {
  /** The number of values in the delivery. */
  readonly count: number;
  /** Its events, each with its index among the values. */
  readonly events: readonly (ReceivedEvent & { readonly position: number })[];
}

/** The result of a handler that identified a delivery: the inbox stores its events in place of the one event. */
export interface Replacement {
  readonly replaceBy: DeliveryContent;
}

/**
 * Returns the value of the choice that an option names: the name itself in a list of names.
 * @param assumed the name of the choice without the option; without it, the option is required
 * @throws WebhookError `invalid-option` for a name that is not among the choices
 */
export function choose<const T>(
  options: object,
  option: string,
  choices: readonly T[] | Readonly<Record<string, T>>,
  assumed?: string,
): T {
  const chosen = (options as Readonly<Record<string, string | undefined>>)[option] ?? assumed;
  const isList = Array.isArray(choices);
  const names: readonly unknown[] = isList ? choices : Object.keys(choices);
  if (!names.includes(chosen)) throw invalid(`\`${option}\` must be one of ${names.join(', ')}`);
  return (isList ? chosen : (choices as Readonly<Record<string, T>>)[chosen ?? '']) as T;
}

/**
 * Asserts that a text can be the name of a header: a token of RFC 9110, section 5.6.2. Some platforms throw for any other
 * name when a delivery arrives.
 * @throws WebhookError `invalid-option`
 */
export function assertHeaderName(name: unknown, what: string): void {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/u.test(name))
    throw invalid(`${what} must be the name of a header`);
}

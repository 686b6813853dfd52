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

/** The parts of a request's target; of an absolute URL, what follows the host. */
export interface Target {
  readonly path: string;
  /** Without `?`. */
  readonly query: string;
}

/** Splits a target; nothing in it is decoded or normalised. */
export function splitTarget(target: string): Target {
  const host = target.startsWith('/') ? null : /^[a-z][\w+.-]*:\/\/[^/?#]*/iu.exec(target);
  const rest = host === null ? target : target.slice(host[0].length) || '/';
  const mark = rest.indexOf('?');
  return mark < 0
    ? { path: rest, query: '' }
    : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

/**
 * The decoded segments of a path; `undefined` where two servers could read it in two ways: empty segments, dots,
 * also encoded or with a parameter behind them, encoded separators, backslashes, control characters.
 */
export function pathSegments(path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  if (path === '/') return [];
  const segments: string[] = [];
  for (const written of path.slice(1).split('/')) {
    const segment = decodeSegment(written);
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  // A slash at the end is the folder itself.
  if (segments.at(-1) === '') segments.pop();
  return segments.includes('') ? undefined : segments;
}

/** Every value of a query parameter, decoded as forms are. */
export function queryValues(query: string, name: string): readonly string[] {
  return query === '' ? [] : new URLSearchParams(query).getAll(name);
}

function decodeSegment(written: string): string | undefined {
  if (!special.test(written)) return written;
  let segment: string;
  try {
    segment = decodeURIComponent(written);
  } catch {
    return undefined;
  }
  // Decoded once more by the next in line, it would be another segment.
  if (separators.test(segment) || /%(?:2e|2f|5c|25)/iu.test(segment)) return undefined;
  return /^\.{1,2}(?:;|$)/u.test(segment) ? undefined : segment;
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const special = /[%;\\\u0000-\u0020\u007f#]|^\.{1,2}$/u;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const separators = /[/\\\u0000-\u001f\u007f]/u;

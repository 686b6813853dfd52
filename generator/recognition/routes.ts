import type { Recognizable } from './recognizable.ts';

/** A segment of a path: text, or literal parts around parameters. */
type RouteSegment =
  | string
  | { readonly literals: readonly string[]; readonly parameters: readonly string[] };

/** The path of labels, with their kinds by method. An empty method stands for any method. */
export type Route = {
  readonly segments: readonly RouteSegment[];
  readonly kinds: readonly { readonly method: string; readonly kinds: readonly string[] }[];
};

/** Returns a route for each path of a label, the most specific first: more segments, then more literal segments. */
export function planRoutes(
  notifications: readonly Pick<Recognizable, 'name' | 'label'>[],
): readonly Route[] {
  const routes = new Map<
    string,
    { segments: readonly RouteSegment[]; kinds: Map<string, string[]> }
  >();
  for (const { name, label } of notifications) {
    if (label === undefined) continue;
    const segments = toSegments(label.path);
    const key = JSON.stringify(
      segments.map((segment) => (typeof segment === 'string' ? segment : segment.literals)),
    );
    const route = routes.get(key) ?? { segments, kinds: new Map<string, string[]>() };
    const method = label.method ?? '';
    const kindNames = route.kinds.get(method);
    if (kindNames === undefined) route.kinds.set(method, [name]);
    else kindNames.push(name);
    routes.set(key, route);
  }
  return Array.from(routes.values(), ({ segments, kinds }) => ({
    segments,
    kinds: Array.from(kinds, ([method, names]) => ({ method, kinds: names })),
  })).toSorted(
    (a, b) => b.segments.length - a.segments.length || literalCount(b) - literalCount(a),
  );
}

/** Returns the sets of kinds that requests with this path can have, by their methods. */
export function kindSetsOf({ kinds }: Route): readonly (readonly string[])[] {
  const kindsFor = (method: string): readonly string[] =>
    kinds
      .filter((entry) => entry.method === method || entry.method === '')
      .flatMap((entry) => entry.kinds);
  const stated = kinds.filter(({ method }) => method !== '').map(({ method }) => kindsFor(method));
  const kindsWithoutMethod = kindsFor('');
  return [
    ...stated,
    kindsWithoutMethod.length > 0 ? kindsWithoutMethod : kinds.flatMap((entry) => entry.kinds),
  ];
}

/** Returns the methods of all notifications, sorted. A notification without a method can come by POST or PUT. */
export function methodsOf(
  notifications: readonly Pick<Recognizable, 'method'>[],
): readonly string[] {
  const methods = notifications.flatMap(({ method }) => method ?? ['POST', 'PUT']);
  return [...new Set(methods)].toSorted();
}

/** Splits a path template. Literal text is decoded, as receivers compare it with decoded segments. */
function toSegments(path: string): readonly RouteSegment[] {
  return writtenSegments(path).map((segment) => {
    const parts = segment.split(parameter);
    if (parts.length === 1) return decodeLiteral(segment) ?? segment;
    return {
      literals: parts
        .filter((_, index) => index % 2 === 0)
        .map((text) => decodeLiteral(text) ?? text),
      parameters: parts.filter((_, index) => index % 2 === 1),
    };
  });
}

const parameter = /\{([^{}]*)\}/u;

/** Returns the segments of a path template that are not empty, as they are written. */
function writtenSegments(path: string): readonly string[] {
  return path
    .split(/[?#]/u, 1)
    .join('')
    .split('/')
    .filter((segment) => segment !== '');
}

function decodeLiteral(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a segment of a path template that receivers refuse in every request, because servers could resolve the path
 * differently: a dot segment, or one with a separator, a control character or an escape that could be decoded again.
 */
export function refusedSegment(path: string): string | undefined {
  return writtenSegments(path).find((segment) => {
    const text = decodeLiteral(segment.split(parameter).map(nameToLetter).join(''));
    return text === undefined || isRefusedSegment(text);
  });
}

/** Returns whether a receiver accepts a path in which a parameter has a value. */
export function canHaveParameter(path: string, name: string, value: string): boolean {
  if (value === '') return false;
  const written = writtenSegments(path).find((segment) => segment.includes(`{${name}}`));
  const [first = '', ...others] = (written ?? `{${name}}`).split(`{${name}}`);
  const texts = [first, others.join('')].map((text) => text.split(parameter).map(nameToLetter));
  return !isRefusedSegment(texts.map((parts) => parts.join('')).join(value));
}

/** Replaces the name of a parameter by a letter, in what `split` returns. */
function nameToLetter(text: string, index: number): string {
  return index % 2 === 0 ? text : 'x';
}

/** Returns whether a receiver refuses a decoded segment. The runtime's `pathSegments` decides alike. */
function isRefusedSegment(text: string): boolean {
  return (
    // oxlint-disable-next-line no-control-regex -- control characters are refused
    /[/\\\u0000-\u001f\u007f]|%(?:2e|2f|5c|25)/iu.test(text) || /^\.{1,2}(?:;|$)/u.test(text)
  );
}

function literalCount({ segments }: Route): number {
  return segments.filter((segment) => typeof segment === 'string').length;
}

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

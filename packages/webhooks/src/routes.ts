/** A path of the contract, as whole segments, and the kinds it is the label of. */
export interface Route {
  /** Text as it stands decoded, or the name of a parameter in a segment of its own or inside text. */
  readonly segments: readonly RouteSegment[];
  /** The kinds by method, upper case; an empty method: any. */
  readonly kinds: readonly { readonly method: string; readonly kinds: readonly string[] }[];
}

/** A literal, or literals around parameters: one more literal than parameters. */
export type RouteSegment =
  | string
  | { readonly literals: readonly string[]; readonly parameters: readonly string[] };

/** The label that a path carries. */
export interface Labelled {
  readonly kinds: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Finds the label of a path by the number of its segments: exact, or behind the path that the receiver is mounted
 * at. Of several labels, the longest counts, then the one that is more literal.
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
    // Every path ends with a label that has no segments; only the path that has none either carries it.
    if (route.segments.length === 0 && start > (mount?.length ?? 0)) continue;
    const parameters = matchSegments(route.segments, path, start);
    if (parameters !== undefined) return { kinds: kindsFor(route, method), parameters };
  }
  return undefined;
}

/** A method narrows the kinds of a label only where the contract tells them apart by it. */
function kindsFor({ kinds }: Route, method: string): readonly string[] {
  const [only] = kinds;
  if (only !== undefined && kinds.length === 1) return only.kinds;
  const own = kinds.filter((entry) => entry.method === method || entry.method === '');
  return (own.length > 0 ? own : kinds).flatMap((entry) => entry.kinds);
}

function matchSegments(
  segments: readonly RouteSegment[],
  path: readonly string[],
  start: number,
): Readonly<Record<string, string>> | undefined {
  // Literals go first: most paths differ from most labels in one of them.
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index];
    if (typeof segment === 'string' && segment !== path[start + index]) return undefined;
  }
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index];
    if (typeof segment !== 'object') continue;
    if (!matchSegment(segment, path[start + index] ?? '', parameters)) return undefined;
  }
  return parameters;
}

/** Every parameter takes as little as it can, the last one what is left; none is empty. */
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

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

function toSegments(path: string): readonly RouteSegment[] {
  return path
    .split(/[?#]/u, 1)
    .join('')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const parts = segment.split(/\{([^{}]*)\}/u);
      if (parts.length === 1) return segment;
      return {
        literals: parts.filter((_, index) => index % 2 === 0),
        parameters: parts.filter((_, index) => index % 2 === 1),
      };
    });
}

function literalCount({ segments }: Route): number {
  return segments.filter((segment) => typeof segment === 'string').length;
}

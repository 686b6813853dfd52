import { findRoute, type Route, type RouteSegment } from './routes.ts';
import { pathSegments, splitTarget } from './target.ts';

/** A method and a path that the contract gives to notifications. */
export interface Label {
  /** Upper case; left out where the contract states none. */
  readonly method?: string;
  /** A path template as OpenAPI has them: `/a/{id}`. */
  readonly path: string;
}

/** Makes the test of whether a target, below where something is mounted, is one of the labels or nothing but the mount path. */
export function createLabelTest(labels: readonly Label[]): (target: string) => boolean {
  const root: Route = { segments: [], kinds: [] };
  const routes = [
    root,
    ...labels.map(({ path }): Route => ({ segments: toSegments(path), kinds: [] })),
  ];
  return (target) => {
    const segments = pathSegments(splitTarget(target).path);
    return segments !== undefined && findRoute(routes, segments, '', []) !== undefined;
  };
}

function toSegments(template: string): readonly RouteSegment[] {
  return template
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

import { findRoute, type Route, type RouteSegment } from './routes.ts';
import { pathSegments, resolveSegments, splitTarget } from './target.ts';

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
      const parts = segment.split(/\{([^{}]*)\}/u);
      if (parts.length === 1) return segment;
      return {
        literals: parts.filter((_, index) => index % 2 === 0),
        parameters: parts.filter((_, index) => index % 2 === 1),
      };
    });
}

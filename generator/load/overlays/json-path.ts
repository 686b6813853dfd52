import { TimeLimitError, type TimeLimit } from '../../execution/time-limit.ts';
import type { JsonObject } from '../../json/json.ts';
import type { MutableObject } from '../origins.ts';

/** A step of a path through a document: a member name, or an array index. */
export type Step = string | number;

/**
 * Returns the paths to the nodes that a JSONPath (RFC 9535) selects, each once. Returns a message where the expression
 * is not valid, or where its filters and patterns exceed the time limit.
 */
export async function selectPaths(
  root: JsonObject,
  expression: string,
  limit: TimeLimit,
): Promise<readonly (readonly Step[])[] | { readonly message: string }> {
  const [{ paths }, { default: parse }] = await Promise.all([
    import('jsonpath-rfc9535'),
    import('jsonpath-rfc9535/parser'),
  ]);
  try {
    return [...new Set(limit.run(() => paths(root as MutableObject, expression)))].map((path) =>
      parse(path).segments.flatMap(({ node }) =>
        node.type === 'BracketedSelection'
          ? node.selectors.flatMap((selector) =>
              selector.type === 'NameSelector' || selector.type === 'IndexSelector'
                ? [selector.value]
                : [],
            )
          : [],
      ),
    );
  } catch (error) {
    if (error instanceof TimeLimitError)
      return { message: 'it takes too long to evaluate; use fewer steps and filters' };
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

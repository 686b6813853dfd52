import type { MutableObject } from './origins.ts';

/** A member of a way through a document: a name, or an index of an array. */
export type Step = string | number;

/** The ways to the nodes that a JSONPath (RFC 9535) selects, each once; a message where it is no JSONPath. */
export async function selectPaths(
  root: MutableObject,
  expression: string,
): Promise<readonly (readonly Step[])[] | { readonly message: string }> {
  const [{ paths }, { default: parse }] = await Promise.all([
    import('jsonpath-rfc9535'),
    import('jsonpath-rfc9535/parser'),
  ]);
  try {
    return [...new Set(paths(root, expression))].map((path) =>
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
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

import { decodePercent } from './decode-text.ts';

/** The result of routing a request. */
export type Routed<T> =
  | { readonly kind: 'found'; readonly value: T; readonly parameters: readonly PathParameter[] }
  /** The path exists with other methods. */
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'path' };

/** A parameter of the path, with its text as it was sent. */
export type PathParameter = readonly [name: string, text: string];

/** A path and method to be routed. */
export interface Route<T> {
  readonly method: string;
  /** A template such as `/things/{id}`. */
  readonly path: string;
  readonly value: T;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  /** The one with the most literal characters first. */
  readonly patterns: Pattern<T>[];
  readonly ends: Map<string, { readonly value: T; readonly names: readonly string[] }>;
}

interface Pattern<T> {
  readonly source: string;
  /** The text before, between and after the parameters. */
  readonly literals: readonly string[];
  readonly node: Node<T>;
}

interface Match<T> {
  readonly ends: Node<T>['ends'];
  readonly texts: readonly string[];
}

/**
 * Compiles routes. Literal segments precede parameters; a path whose literal form lacks the method is routed to a
 * template that has it. `HEAD` is routed as `GET` where the contract does not declare it.
 */
export function compileRouter<T>(
  routes: readonly Route<T>[],
): (method: string, path: string) => Routed<T> {
  const root = createNode<T>();
  for (const route of routes) addRoute(root, route);
  return (method, path) => {
    const allowed = new Set<string>();
    for (const wanted of method === 'HEAD' ? ['HEAD', 'GET'] : [method])
      for (const { ends, texts } of matchesOf(root, path.split('/'), 0, [])) {
        const end = ends.get(wanted);
        if (end !== undefined) {
          const parameters = end.names.map((name, index) => [name, texts[index] ?? ''] as const);
          return { kind: 'found', value: end.value, parameters };
        }
        for (const name of ends.keys()) allowed.add(name);
      }
    return allowed.size === 0 ? { kind: 'path' } : { kind: 'method', allowed: [...allowed] };
  };
}

function createNode<T>(): Node<T> {
  return { literals: new Map(), patterns: [], ends: new Map() };
}

function addRoute<T>(root: Node<T>, { method, path, value }: Route<T>): void {
  const names: string[] = [];
  let node = root;
  for (const segment of path.split('/')) {
    const pieces = segment.split(/\{([^{}]*)\}/u);
    let next: Node<T>;
    if (pieces.length === 1) {
      const literal = decodePercent(segment);
      next = node.literals.get(literal) ?? createNode();
      node.literals.set(literal, next);
    } else {
      names.push(...pieces.filter((_, index) => index % 2 === 1));
      const source = pieces.map((piece, index) => (index % 2 === 1 ? '{}' : piece)).join('');
      next = node.patterns.find((pattern) => pattern.source === source)?.node ?? createNode();
      addPattern(node, source, pieces, next);
    }
    node = next;
  }
  if (!node.ends.has(method)) node.ends.set(method, { value, names });
}

function addPattern<T>(
  { patterns }: Node<T>,
  source: string,
  pieces: readonly string[],
  node: Node<T>,
): void {
  if (patterns.some((pattern) => pattern.source === source)) return;
  const literals = pieces.filter((_, index) => index % 2 === 0);
  patterns.push({ source, literals, node });
  patterns.sort((a, b) => b.literals.join('').length - a.literals.join('').length);
}

/**
 * Returns the texts of the parameters between literals, or `undefined` where the text does not match. Each takes as
 * little text as possible, the last one the rest, and none is empty. Takes linear time: a regular expression would try
 * every way to divide the text.
 */
function textsBetween(literals: readonly string[], text: string): readonly string[] | undefined {
  const [first = '', ...rest] = literals;
  if (!text.startsWith(first)) return undefined;
  const texts: string[] = [];
  let start = first.length;
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast ? text.length - literal.length : text.indexOf(literal, start + 1);
    if (end <= start || !text.startsWith(literal, end)) return undefined;
    texts.push(text.slice(start, end));
    start = end + literal.length;
  }
  return texts;
}

function* matchesOf<T>(
  node: Node<T>,
  segments: readonly string[],
  index: number,
  texts: readonly string[],
): Generator<Match<T>> {
  const segment = segments[index];
  if (segment === undefined) {
    if (node.ends.size > 0) yield { ends: node.ends, texts };
    return;
  }
  const literal = node.literals.get(decodePercent(segment));
  if (literal !== undefined) yield* matchesOf(literal, segments, index + 1, texts);
  for (const { literals, node: next } of node.patterns) {
    const segmentTexts = textsBetween(literals, segment);
    if (segmentTexts !== undefined)
      yield* matchesOf(next, segments, index + 1, [...texts, ...segmentTexts]);
  }
}

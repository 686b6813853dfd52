import { isJsonObject, type JsonObject } from '../json/json.ts';
import { schemaKeywords } from '../specification/schema-keywords.ts';
import type { JsonSchema } from '../schema/model.ts';
import { subschemasOf } from '../schema/visit.ts';

/** The names that a schema refers to for one value, and for the members and items of that value. */
interface ValueCalls {
  /** The names that validate the value itself, each as often as it does. */
  readonly names: string[];
  /** By member or item. `*` stands for members, items or names that are not told apart. */
  readonly below: Map<string, ValueCalls>;
}

/** Lists of names by name. */
type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * The number of calls that a function can cost for one value, and for one member of each value below it, before it
 * remembers its results. Remembering costs about as much as two calls.
 */
const maxCalls = 16;

/**
 * Returns the names of the schemas whose functions remember their results, because calls for the same value could
 * otherwise multiply from schema to schema: several places call them, and they are in a cycle or cost many calls.
 */
export function findRepeated(schemas: ReadonlyMap<string, JsonObject>): ReadonlySet<string> {
  const calls = new Map(Array.from(schemas, ([name, schema]) => [name, valueCallsOf(schema)]));
  const edges = new Map(Array.from(calls, ([name, of]) => [name, namesIn(of)]));
  const callers = withoutEnds(reversed(withoutEnds(edges)));
  const repeated = new Set(
    [...callers].flatMap(([name, { length }]) => (length > 1 ? [name] : [])),
  );
  addCostly(calls, edges, new Set(callers.keys()), repeated);
  return repeated;
}

/** Adds the names that cost many calls, innermost first, so that an added name costs its callers one call. */
function addCostly(
  calls: ReadonlyMap<string, ValueCalls>,
  edges: Edges,
  inCycles: ReadonlySet<string>,
  repeated: Set<string>,
): void {
  // What a cycle costs depends on the depth of the value. No cycle stays at one value.
  const finite = new Map(
    Array.from(calls, ([name, of]) => {
      const isCyclic = inCycles.has(name);
      return [name, namesIn(of, (callee) => !isCyclic || !inCycles.has(callee))];
    }),
  );
  const callers = reversed(edges);
  const costs = new Map<string, number>();
  const costOf = ({ names, below }: ValueCalls): number => {
    const own = names.reduce((sum, name) => sum + (costs.get(name) ?? 1), 0);
    const ofBelow = new Map(Array.from(below, ([key, value]) => [key, costOf(value)]));
    const each = ofBelow.get('*') ?? 0;
    return (
      own +
      Array.from(ofBelow).reduce(
        (most, [key, cost]) => Math.max(most, key === '*' ? each : cost + each),
        0,
      )
    );
  };
  for (const name of innermostFirst(finite)) {
    const of = calls.get(name);
    const cost = of === undefined ? 1 : 1 + costOf(of);
    if (cost > maxCalls && (callers.get(name)?.length ?? 0) > 1) repeated.add(name);
    costs.set(name, repeated.has(name) ? 1 : cost);
  }
}

function valueCallsOf(schema: JsonObject): ValueCalls {
  const calls: ValueCalls = { names: [], below: new Map() };
  addCalls(schema, calls);
  return calls;
}

function addCalls(schema: JsonSchema, to: ValueCalls): void {
  if (!isJsonObject(schema)) return;
  if (typeof schema['$ref'] === 'string') to.names.push(schema['$ref']);
  for (const { keyword, path, schema: sub } of subschemasOf(schema)) {
    if (schemaKeywords.get(keyword)?.appliesTo !== 'child') addCalls(sub, to);
    else {
      const isOne = keyword === 'properties' || keyword === 'prefixItems';
      const key = isOne ? path.join('/') : '*';
      const below = to.below.get(key) ?? { names: [], below: new Map() };
      to.below.set(key, below);
      addCalls(sub, below);
    }
  }
}

/** Returns the names of calls, each as often as it is called. `isKept` selects among those for members and items. */
function namesIn(
  { names, below }: ValueCalls,
  isKept: (name: string) => boolean = () => true,
): readonly string[] {
  return [...names, ...Array.from(below.values(), (of) => namesIn(of).filter(isKept)).flat()];
}

/** Returns the names so that each follows those that it has an edge to. Leaves out names from which cycles are reached. */
function innermostFirst(edges: Edges): Iterable<string> {
  const back = reversed(edges);
  const open = new Map(
    Array.from(edges, ([name, to]) => [name, to.filter((target) => edges.has(target)).length]),
  );
  const ordered = new Set([...open].flatMap(([name, count]) => (count === 0 ? [name] : [])));
  // The iteration includes names that are added during it.
  for (const target of ordered)
    for (const from of back.get(target) ?? []) {
      const count = (open.get(from) ?? 0) - 1;
      open.set(from, count);
      if (count === 0) ordered.add(from);
    }
  return ordered;
}

/** Removes the names from which no cycle can be reached. */
function withoutEnds(edges: Edges): Edges {
  const ends = new Set(innermostFirst(edges));
  const kept = [...edges].filter(([name]) => !ends.has(name));
  return new Map(
    kept.map(([name, to]) => [name, to.filter((target) => edges.has(target) && !ends.has(target))]),
  );
}

function reversed(edges: Edges): Edges {
  const back = new Map(Array.from(edges.keys(), (name): [string, string[]] => [name, []]));
  for (const [name, to] of edges) for (const target of to) back.get(target)?.push(name);
  return back;
}

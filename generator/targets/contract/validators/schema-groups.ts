/** A member of a group. */
interface Groupable {
  readonly name: string;
  readonly fileName: string;
  /** Names of the schemas that it refers to directly. */
  readonly references: readonly string[];
}

/** Schemas that refer to one another, directly or not. Most groups have one schema. Each group becomes one module. */
export interface SchemaGroup<T extends Groupable> {
  /** The base name of its module: the file name of its first schema. */
  readonly fileName: string;
  /** In the order given. */
  readonly schemas: readonly T[];
}

/** Divides schemas into their strongly connected groups, in the order of their first schemas. */
export function groupSchemas<T extends Groupable>(
  index: ReadonlyMap<string, T>,
): readonly SchemaGroup<T>[] {
  const components = stronglyConnected(index);
  const groups = new Map<number, T[]>();
  for (const schema of index.values()) {
    const component = components.get(schema.name) ?? -1;
    const group = groups.get(component);
    if (group === undefined) groups.set(component, [schema]);
    else group.push(schema);
  }
  return [...groups.values()].map((schemas) => ({ fileName: schemas[0]?.fileName ?? '', schemas }));
}

/**
 * Returns the number of each schema's strongly connected component. Uses Tarjan's algorithm without recursion, so that
 * a long chain of references does not exhaust the stack.
 */
function stronglyConnected(index: ReadonlyMap<string, Groupable>): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const component = new Map<string, number>();
  for (const start of index.keys()) {
    if (order.has(start)) continue;
    const frames: { readonly name: string; readonly targets: Iterator<string> }[] = [];
    const enter = (name: string): void => {
      order.set(name, order.size);
      lowest.set(name, order.get(name) ?? 0);
      open.push(name);
      frames.push({ name, targets: (index.get(name)?.references ?? []).values() });
    };
    const lower = (name: string, candidate: number): void => {
      lowest.set(name, Math.min(lowest.get(name) ?? candidate, candidate));
    };
    enter(start);
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { name } = frame;
      const { value: target, done } = frame.targets.next();
      if (done !== true) {
        if (!order.has(target)) enter(target);
        else if (!component.has(target)) lower(name, order.get(target) ?? 0);
        continue;
      }
      frames.pop();
      const parent = frames.at(-1);
      if (parent !== undefined) lower(parent.name, lowest.get(name) ?? 0);
      if (lowest.get(name) !== order.get(name)) continue;
      const number = order.get(name) ?? 0;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component.set(member, number);
        if (member === name) break;
      }
    }
  }
  return component;
}

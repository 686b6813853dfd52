import { isExactNumber } from '../base/exact-number.ts';

/**
 * The values that have another form on the wire at one location of a value. The first node of a list is for the whole
 * value.
 */
export interface NormalizationNode {
  /** Members that count as missing where they have one of the values. */
  readonly values: readonly (readonly [member: string, values: readonly unknown[]])[];
  /** Members to look into, with the index of their node. */
  readonly members: readonly (readonly [member: string, node: number])[];
  /** The index of the node for elements of an array. */
  readonly items?: number;
  /** Whether the value is a number that can be written as a text. */
  readonly number?: true;
}

/**
 * Returns a value without the members that count as missing, and with the numbers that are written as texts. A text that
 * no double represents exactly stays a text. Returns the same value where nothing changes.
 */
export function normalizeValue(
  value: unknown,
  nodes: readonly NormalizationNode[],
  at = 0,
): unknown {
  const node = nodes[at];
  if (node === undefined) return value;
  if (typeof value === 'string') return node.number === true ? toNumber(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return value;
    const elements = value.map((element: unknown) => normalizeValue(element, nodes, items));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  const record = value as Readonly<Record<string, unknown>>;
  let changes: Map<string, unknown> | undefined;
  // Most values have nothing that counts as missing, so nothing is created for them.
  for (const [name, values] of node.values)
    if (values.includes(record[name]) && Object.hasOwn(record, name))
      (changes ??= new Map()).set(name, undefined);
  for (const [name, inner] of node.members) {
    const originalMember = record[name];
    if (typeof originalMember !== 'object' && typeof originalMember !== 'string') continue;
    const member = normalizeValue(originalMember, nodes, inner);
    if (member === originalMember || !Object.hasOwn(record, name)) continue;
    if (changes?.has(name) !== true) (changes ??= new Map()).set(name, member);
  }
  return changes === undefined ? value : withChanges(record, changes);
}

const numberText = /^-?\d+(?:\.\d+)?$/u;

function toNumber(text: string): unknown {
  return numberText.test(text) && isExactNumber(text) ? Number(text) : text;
}

/** Returns an object with other members, and without those that are changed to `undefined`. */
function withChanges(
  record: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
): unknown {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, member]): [string, unknown][] => {
      if (!changes.has(name)) return [[name, member]];
      const change = changes.get(name);
      return change === undefined ? [] : [[name, change]];
    }),
  );
}

import { jsonLiteral } from '../json/json-literal.ts';
import type { Json, Scalar } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { Conditions } from '../schema/model.ts';
import type { SchemaIndex } from '../schema/references.ts';
import type { ValueType } from '../schema/value-set.ts';
import { follow } from './body-kinds.ts';
import { type DataFormat, dataFormats } from './data-format.ts';
import type { Decision, DecisionNode, Next } from './decision.ts';
import { canonicalExpression } from './exclusive-conditions.ts';
import { classOf } from './match-variant.ts';
import { findConditionRead, type Read } from './reads.ts';
import { type Recognition, unionsBySchema } from './recognition.ts';
import type { Recognizable } from './recognizable.ts';
import { deriveIdentification } from './required-constants.ts';

/** What an empty result of a decision means. */
export type EmptyResult = 'no kind' | 'the canonical format' | 'another kind, or none';

/**
 * Returns in words what a step of a decision checks, and what follows. Values and names of the contract are in quotes,
 * without line ends and invisible characters.
 * @param first the number of the first step
 */
export function describeStep(
  { read, pattern, values, types, rest }: DecisionNode,
  reads: readonly Read[],
  nothing: EmptyResult,
  first: 0 | 1 = 0,
): string {
  const result = (next: Next): string =>
    typeof next === 'number'
      ? `see ${next + first}`
      : next.length === 0
        ? nothing
        : describeKinds(next);
  const valueWords = (value: Scalar): string =>
    pattern === undefined ? jsonLiteral(value) : `a text that matches ${jsonLiteral(pattern)}`;
  const cases = [
    ...values.slice(0, maxNamed).map(([value, next]) => `${valueWords(value)}: ${result(next)}`),
    ...(values.length > maxNamed ? [`${values.length - maxNamed} more values`] : []),
    ...types.map(([type, next]) => `${typeWords[type]}: ${result(next)}`),
    `otherwise: ${result(rest)}`,
  ];
  return `${place(reads[read])}. ${cases.join('; ')}.`;
}

/**
 * Creates the function that returns in words what decides that a delivery is a notification, a line each: its label, the
 * steps of the decision that can result in it, the format of its data, and its schema.
 */
export function describeRecognition(
  notifications: readonly Recognizable[],
  recognition: Recognition,
): (name: string) => readonly string[] {
  const { kindOf, reads, routes } = recognition;
  const byName = new Map(notifications.map((notification) => [notification.name, notification]));
  const edges = edgesOf(kindOf);
  const labelled = routes
    .flatMap((route) => route.kinds)
    .flatMap((entry) => entry.kinds.map((name) => [name, entry.kinds] as const));
  const kindsOfLabel = new Map(labelled);
  const hasFormats = new Set(notifications.flatMap(dataFormats)).size > 1;
  const unions = unionsBySchema(recognition);
  return (name) => {
    const notification = byName.get(name);
    if (notification === undefined) return [];
    const { nodes, start } = restrictTo(kindOf, edges, name);
    const steps = nodes.map(
      (node, index) => `${index + 1}. ${describeStep(node, reads, 'another kind, or none', 1)}`,
    );
    return [
      ...describeLabel(notification, kindsOfLabel.get(name) ?? [name]),
      ...(typeof start === 'number' ? steps : describeStart(start)),
      ...(hasFormats
        ? [
            `The format of the data: ${dataFormats(notification)
              .map((format) => formatWords[format])
              .join(' or ')}.`,
          ]
        : []),
      ...describeSchema(notification, unions),
    ];
  };
}

/**
 * Returns in words which required constants of a notification do not decide, because they distinguish it from no other
 * one: a changed constant cannot be distinguished from a violation.
 */
export function describeUndecided(
  notification: Recognizable,
  index: SchemaIndex,
): readonly string[] {
  if (notification.identifiedByOrigin === 'declared') return [];
  const deciding = new Set(
    notification.identifiedBy.flat().map(({ expression }) => canonicalExpression(expression)),
  );
  const otherConstants = deriveIdentification(index, notification)
    .flat()
    .filter(({ expression }) => !deciding.has(canonicalExpression(expression)));
  if (otherConstants.length === 0) return [];
  const shown = otherConstants
    .slice(0, maxNamed)
    .map(({ expression }) => place(findConditionRead(expression)).replace(/^T/u, 't'));
  if (otherConstants.length > maxNamed) shown.push(`${otherConstants.length - maxNamed} more`);
  return [
    `Required constants that do not decide, because no other kind differs there: ${shown.join(', ')}. A delivery with another value there is an invalid one of this kind (\`onInvalid\`); state the value in \`x-identified-by\` to have it in \`otherwise\`.`,
  ];
}

/**
 * Returns in words what a delivery has where the decision about its kind looks, a phrase for each value. It
 * names values of the contract, and of other values their type alone.
 * @param valueOf returns a value of the delivery
 * @param of the alternatives of a kind: steps that only rule out other kinds are left out
 */
export function describeSteps(
  { kindOf, reads }: Pick<Recognition, 'kindOf' | 'reads'>,
  valueOf: (read: Read) => Json | undefined,
  of?: readonly Conditions[],
): readonly string[] {
  const own =
    of && new Set(of.flat().map((it) => JSON.stringify(findConditionRead(it.expression))));
  // Several steps can be about one value: the last one says the most.
  const phrases = new Map<Read, string>();
  for (let next = kindOf.start; typeof next === 'number';) {
    const node = kindOf.nodes[next];
    const read = node && reads[node.read];
    if (node === undefined || read === undefined) break;
    const value = valueOf(read);
    next = follow(node, value);
    if (own?.has(JSON.stringify(read)) ?? true)
      phrases.set(read, `${place(read).replace(/^T/u, 't')} ${describeValue(node, value)}`);
  }
  return [...phrases.values()];
}

function describeValue({ pattern, values }: DecisionNode, value: Json | undefined): string {
  const { type } = classOf(value);
  if (pattern !== undefined)
    return typeof value === 'string' && new RegExp(pattern, 'u').test(value)
      ? `matches ${jsonLiteral(pattern)}`
      : `does not match ${jsonLiteral(pattern)}`;
  const stated = values.find(([candidate]) => candidate === value);
  if (stated !== undefined) return `is ${jsonLiteral(stated[0])}`;
  const isOther = values.some(([candidate]) => typeof candidate === typeof value);
  return `is ${isOther ? `${typeWords[type]} that no kind has there` : typeWords[type]}`;
}

/** An edge of a decision: the position of a value, of a type after the values, or of what follows otherwise. */
interface Edge {
  readonly from: number;
  readonly slot: number;
}

/** The edges into each step and into each result, and the results with each name. */
interface Edges {
  readonly into: ReadonlyMap<string, readonly Edge[]>;
  readonly endsWith: ReadonlyMap<string, readonly string[]>;
}

const keyOf = (next: Next): string => (typeof next === 'number' ? `${next}` : next.join(' '));

function edgesOf({ nodes }: Pick<Decision, 'nodes'>): Edges {
  const into = new Map<string, Edge[]>();
  const endsWith = new Map<string, string[]>();
  for (const [from, node] of nodes.entries()) {
    for (const [slot, next] of nextsOf(node).entries()) {
      const key = keyOf(next);
      if (!into.has(key) && typeof next !== 'number')
        for (const name of next) append(endsWith, name, key);
      append(into, key, { from, slot });
    }
  }
  return { into, endsWith };
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Returns the edges that lead to a result with a name, by the step that they begin at, in their order. */
function edgesTo({ into, endsWith }: Edges, name: string): ReadonlyMap<number, readonly number[]> {
  const slots = new Map<number, number[]>();
  const open = [...(endsWith.get(name) ?? [])];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const { from, slot } of into.get(key) ?? []) {
      const known = slots.get(from);
      if (known !== undefined) known.push(slot);
      else {
        slots.set(from, [slot]);
        open.push(`${from}`);
      }
    }
  }
  for (const found of slots.values()) found.sort((a, b) => a - b);
  return slots;
}

/** Returns the part of a decision that can result in a name. Its first step comes first; other results are empty. */
function restrictTo(
  decision: Decision,
  edges: Edges,
  name: string,
): Pick<Decision, 'nodes' | 'start'> {
  const slotsOf = edgesTo(edges, name);
  const positions = new Map<number, number>();
  const toNext = (next: Next): Next => {
    if (typeof next !== 'number') return next.includes(name) ? next : [];
    if (!slotsOf.has(next)) return [];
    const position = positions.get(next) ?? positions.size;
    positions.set(next, position);
    return position;
  };
  const first = toNext(decision.start);
  const restricted: DecisionNode[] = [];
  // The loop also visits the steps that it adds.
  for (const index of positions.keys()) {
    const node = decision.nodes[index];
    if (node === undefined) continue;
    const { values, types, rest } = node;
    const slots = slotsOf.get(index) ?? [];
    // If every other value leads to the name, those that do not are what distinguishes it.
    const isRest = slots.at(-1) === values.length + types.length;
    const shown = isRest ? [...Array(values.length + types.length).keys()] : slots;
    restricted.push({
      ...node,
      values: shown.flatMap((slot) => {
        const entry = values[slot];
        return entry === undefined ? [] : [[entry[0], toNext(entry[1])] as const];
      }),
      types: shown.flatMap((slot) => {
        const entry = types[slot - values.length];
        return entry === undefined ? [] : [[entry[0], toNext(entry[1])] as const];
      }),
      rest: toNext(rest),
    });
  }
  return { nodes: restricted, start: first };
}

function nextsOf({ values, types, rest }: DecisionNode): readonly Next[] {
  return [...values.map(([, next]) => next), ...types.map(([, next]) => next), rest];
}

function describeStart(start: readonly string[]): readonly string[] {
  return start.length === 0
    ? ['No delivery meets its conditions.']
    : [`Every value: ${describeKinds(start)}.`];
}

function describeLabel({ label }: Recognizable, kinds: readonly string[]): readonly string[] {
  if (label === undefined) return [];
  const { method, path } = label;
  const labelText = jsonLiteral(method === undefined ? path : `${method} ${path}`);
  return [`The label ${labelText}: ${describeKinds(kinds)}.`];
}

/** Returns the kinds that remain if the schema decides. */
function describeSchema(
  { name }: Recognizable,
  unions: readonly (readonly string[])[],
): readonly string[] {
  return unions
    .filter((group) => group.includes(name))
    .slice(0, maxNamed)
    .map((group) => `For ${describeKinds(group)}: the one whose schema alone accepts the value.`);
}

function describeKinds(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).map((name) => jsonLiteral(name));
  if (names.length > maxNamed) shown.push(`${names.length - maxNamed} more`);
  return shown.join(' or ');
}

/** The maximum number of values, of names and of unions in words. */
const maxNamed = 6;

/** Returns the location of a value in words. */
function place(read: Read | undefined): string {
  if (read === undefined || read === 'method') return 'The method';
  if (read === 'path') return 'The path';
  if (read === 'raw') return 'The raw body';
  if ('header' in read) return `The header ${jsonLiteral(read.header)}`;
  if ('query' in read) return `The query parameter ${jsonLiteral(read.query)}`;
  if ('parameter' in read) return `The parameter ${jsonLiteral(read.parameter)} of the path`;
  if (read.body.length === 0) return 'The body';
  return `The member ${jsonLiteral(read.body.map((member) => `/${escapeMember(member)}`).join(''))}`;
}

const typeWords: Readonly<Record<ValueType, string>> = {
  absent: 'missing',
  null: 'null',
  boolean: 'a boolean',
  integer: 'an integer',
  number: 'a number with a fraction',
  string: 'a text',
  array: 'an array',
  object: 'an object',
};

const formatWords: Readonly<Record<DataFormat, string>> = {
  json: 'JSON',
  form: 'a form',
  query: 'the query of the URL',
  xml: 'XML',
  any: 'text or bytes, which can look like any other',
};

import { jsonLiteral } from '../json/json-literal.ts';
import type { Scalar } from '../json/json.ts';
import { escapeMember } from '../json/pointer.ts';
import type { SchemaIndex } from '../schema/references.ts';
import type { ValueType } from '../schema/value-set.ts';
import { type DataFormat, dataFormat } from './data-format.ts';
import type { Decision, DecisionNode, Next } from './decision.ts';
import { canonicalExpression } from './exclusive-conditions.ts';
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
 * Returns in words what decides that a delivery is a notification, a line each: its label, the steps of the decision
 * that can result in it, the format of its data, and its schema.
 */
export function describeRecognition(
  notifications: readonly Recognizable[],
  recognition: Recognition,
  name: string,
): readonly string[] {
  const notification = notifications.find((candidate) => candidate.name === name);
  if (notification === undefined) return [];
  const { kindOf, reads } = recognition;
  const { nodes, start } = restrictTo(kindOf, name);
  const steps = nodes.map(
    (node, index) => `${index + 1}. ${describeStep(node, reads, 'another kind, or none', 1)}`,
  );
  return [
    ...describeLabel(notification, recognition),
    ...(typeof start === 'number' ? steps : describeStart(start)),
    ...describeFormat(notification, notifications),
    ...describeSchema(notification, recognition),
  ];
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

/** Returns the part of a decision that can result in a name. Its first step comes first; other results are empty. */
function restrictTo({ nodes, start }: Decision, name: string): Pick<Decision, 'nodes' | 'start'> {
  const leading = new Map<number, boolean>();
  const leads = (next: Next): boolean => {
    if (typeof next !== 'number') return next.includes(name);
    const cachedAnswer = leading.get(next);
    if (cachedAnswer !== undefined) return cachedAnswer;
    const node = nodes[next];
    const isLeading = node !== undefined && nextsOf(node).some(leads);
    leading.set(next, isLeading);
    return isLeading;
  };
  const positions = new Map<number, number>();
  const toNext = (next: Next): Next => {
    if (!leads(next)) return [];
    if (typeof next !== 'number') return next;
    const position = positions.get(next) ?? positions.size;
    positions.set(next, position);
    return position;
  };
  const first = toNext(start);
  const restricted: DecisionNode[] = [];
  // The loop also visits the steps that it adds.
  for (const index of positions.keys()) {
    const node = nodes[index];
    if (node === undefined) continue;
    const { values, types, rest } = node;
    const isOther = (next: Next): boolean => leads(rest) || leads(next);
    restricted.push({
      ...node,
      values: values
        .filter(([, next]) => isOther(next))
        .map(([value, next]) => [value, toNext(next)] as const),
      types: types
        .filter(([, next]) => isOther(next))
        .map(([type, next]) => [type, toNext(next)] as const),
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

function describeLabel({ name, label }: Recognizable, { routes }: Recognition): readonly string[] {
  if (label === undefined) return [];
  const { method, path } = label;
  const kinds = routes
    .flatMap((route) => route.kinds)
    .find((entry) => entry.method === (method ?? '') && entry.kinds.includes(name))?.kinds;
  const labelText = jsonLiteral(method === undefined ? path : `${method} ${path}`);
  return [`The label ${labelText}: ${describeKinds(kinds ?? [name])}.`];
}

/** Returns how the data is written, where that distinguishes kinds. */
function describeFormat(
  notification: Recognizable,
  notifications: readonly Recognizable[],
): readonly string[] {
  const formats = new Set(notifications.map(dataFormat));
  if (formats.size < 2) return [];
  return [`The format of the data: ${formatWords[dataFormat(notification)]}.`];
}

/** Returns the kinds that remain where the schema decides. */
function describeSchema({ name }: Recognizable, recognition: Recognition): readonly string[] {
  const unions = unionsBySchema(recognition).filter((group) => group.includes(name));
  return unions
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

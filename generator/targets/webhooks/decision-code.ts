import type { Decision, DecisionNode, Next } from '../../recognition/decision.ts';
import type { Read } from '../../recognition/reads.ts';
import { escapeMember } from '../../json/pointer.ts';
import type { ValueType } from '../../schema/value-set.ts';
import { code, type Code, joinCode } from '../code.ts';
import { literal, object, objectUnlessEmpty } from '../escape.ts';

/**
 * Writes a decision as code, with a comment on each node that says in words what the node decides.
 * @param nothing what an empty result means, as text of the toolkit
 */
export function decisionCode(
  { nodes, start }: Decision,
  reads: readonly Read[],
  nothing: 'no kind' | 'the canonical format',
): Code {
  const written = nodes.map((node, index) => {
    const { read, values, types, rest } = node;
    const pairs = values.map(([value, next]) => code`[${literal(value)}, ${literal(next)}]`);
    const fields = object({
      read: literal(read),
      values: pairs.length === 0 ? undefined : code`new Map<unknown, Next>([${pairs}])`,
      types: objectUnlessEmpty(types.map(([type, next]) => [type, literal(next)])),
      rest: literal(rest),
    });
    return code`\n// ${index}: ${sentence(node, reads[read], nothing)}\n${fields}`;
  });
  return object({ nodes: code`[${written}]`, start: literal(start) });
}

/** The maximum number of values and names in a comment. */
const maxNamed = 6;

function sentence(
  { values, types, rest }: DecisionNode,
  read: Read | undefined,
  nothing: 'no kind' | 'the canonical format',
): Code {
  const cases = [
    ...values
      .slice(0, maxNamed)
      .map(([value, next]) => code`${literal(value)}: ${result(next, nothing)}`),
    ...(values.length > maxNamed ? [code`${values.length - maxNamed} more values`] : []),
    ...types.map(([type, next]) => code`${typeWords[type]}: ${result(next, nothing)}`),
    code`otherwise: ${result(rest, nothing)}`,
  ];
  return code`${place(read)}. ${joinCode(cases, '; ')}.`;
}

function result(next: Next, nothing: 'no kind' | 'the canonical format'): Code {
  if (typeof next === 'number') return code`see ${next}`;
  if (next.length === 0) return nothing === 'no kind' ? code`no kind` : code`the canonical format`;
  const names = next.slice(0, maxNamed).map((name) => literal(name));
  if (next.length > maxNamed) names.push(code`${next.length - maxNamed} more`);
  return joinCode(names, ' or ');
}

/** Returns the location of a value in words. */
function place(read: Read | undefined): Code {
  if (read === undefined || read === 'method') return code`The method`;
  if (read === 'path') return code`The path`;
  if (read === 'raw') return code`The raw body`;
  if ('header' in read) return code`The header ${literal(read.header)}`;
  if ('query' in read) return code`The query parameter ${literal(read.query)}`;
  if ('parameter' in read) return code`The parameter ${literal(read.parameter)} of the path`;
  if (read.body.length === 0) return code`The body`;
  return code`The member ${literal(read.body.map((member) => `/${escapeMember(member)}`).join(''))}`;
}

const typeWords: Readonly<Record<ValueType, Code>> = {
  absent: code`missing`,
  null: code`null`,
  boolean: code`a boolean`,
  integer: code`an integer`,
  number: code`a number with a fraction`,
  string: code`a text`,
  array: code`an array`,
  object: code`an object`,
};

import type { Decision } from '../../recognition/decision.ts';
import type { Read } from '../../recognition/reads.ts';
import { describeStep, type EmptyResult } from '../../recognition/words.ts';
import { code, type Code } from '../code.ts';
import { literal, object, objectUnlessEmpty, plain } from '../escape.ts';

/**
 * Writes a decision as code, with a comment on each node that says in words what the node decides.
 * @param nothing what an empty result means
 */
export function decisionCode(
  { nodes, start }: Decision,
  reads: readonly Read[],
  nothing: EmptyResult,
): Code {
  const nodeObjects = nodes.map((node, index) => {
    const { read, pattern, values, types, rest } = node;
    const pairs = values.map(([value, next]) => code`[${literal(value)}, ${literal(next)}]`);
    const fields = object({
      read: literal(read),
      pattern: pattern === undefined ? undefined : code`new RegExp(${literal(pattern)}, 'u')`,
      values: pairs.length === 0 ? undefined : code`new Map<unknown, Next>([${pairs}])`,
      types: objectUnlessEmpty(types.map(([type, next]) => [type, literal(next)])),
      rest: literal(rest),
    });
    return code`\n// ${index}: ${plain(describeStep(node, reads, nothing))}\n${fields}`;
  });
  return object({ nodes: code`[${nodeObjects}]`, start: literal(start) });
}

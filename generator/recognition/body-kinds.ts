import { childOf } from '../json/descend.ts';
import type { Json } from '../json/json.ts';
import type { DecisionNode, Next } from './decision.ts';
import { classOf } from './match-variant.ts';
import { bodyPathOf } from './reads.ts';
import type { Recognition } from './recognition.ts';

/** The kinds of a delivery, as far as its body decides. */
export interface BodyKinds {
  /** The kinds that a delivery with the body can have. */
  readonly possible: ReadonlySet<string>;
  /** The kinds that the body identifies by its members, without headers and other values. */
  readonly named: ReadonlySet<string>;
}

type Decided = Pick<Recognition, 'kindOf' | 'reads'>;

/**
 * Returns the kinds that a body decides for, by the decision of receivers. The body is in the canonical wire format: a
 * receiver converts others before it decides.
 */
export function kindsOfBody(recognition: Decided, body: Json): BodyKinds {
  const { ends } = recognition.kindOf;
  // A kind without a condition is in every result.
  const named = [...resultsOf(recognition, body, false)].filter((kind) =>
    ends.some((end) => !end.includes(kind)),
  );
  return { possible: resultsOf(recognition, body, true), named: new Set(named) };
}

/**
 * Returns the results of the decision for a body.
 * @param isOpen whether the values outside the body can be any; otherwise, the delivery has none
 */
function resultsOf({ kindOf, reads }: Decided, body: Json, isOpen: boolean): ReadonlySet<string> {
  const results = new Set<string>();
  const open: Next[] = [kindOf.start];
  const seen = new Set<number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'number') {
      for (const kind of next) results.add(kind);
      continue;
    }
    const node = kindOf.nodes[next];
    if (node === undefined || seen.has(next)) continue;
    seen.add(next);
    const path = bodyPathOf(reads[node.read]);
    if (path === undefined && isOpen) open.push(...branchesOf(node));
    else open.push(follow(node, path?.reduce<Json | undefined>(childOf, body)));
  }
  return results;
}

function branchesOf({ values, types, rest }: DecisionNode): readonly Next[] {
  return [...[...values, ...types].map(([, next]) => next), rest];
}

/** Returns what follows a step of a decision for a value. */
export function follow(
  { pattern, values, types, rest }: DecisionNode,
  read: Json | undefined,
): Next {
  const value =
    pattern === undefined ? read : typeof read === 'string' && new RegExp(pattern, 'u').test(read);
  const [, ofValue] = values.find(([candidate]) => candidate === value) ?? [];
  const { type } = classOf(value);
  return ofValue ?? types.find(([candidate]) => candidate === type)?.[1] ?? rest;
}

import type { Variant } from '../schema/model.ts';
import type { Decision } from './decision.ts';
import type { Read } from './reads.ts';
import type { Route } from './routes.ts';

/**
 * Which notification a delivery is. A receiver narrows the kinds by the label, the values that the contract states and
 * how the data is written. What remains is the kind, or the union of the kinds.
 */
export interface Recognition {
  /** The paths of labels, the most specific first. */
  readonly routes: readonly Route[];
  /** The methods of all notifications, sorted. */
  readonly methods: readonly string[];
  /** The values that decisions check. Their nodes refer to them by index. */
  readonly reads: readonly Read[];
  /** Results in the kinds of a value. */
  readonly kindOf: Decision;
  /** The kinds as which a value of no kind is refused, because it resembles them; left out where there are none. */
  readonly resembles?: Decision;
  readonly forms: readonly RecognizedForm[];
  /** Results in the keys of wire variants; in none where a delivery has the canonical wire format. */
  readonly formOf: Decision;
  /**
   * The kinds that their schema decides (`x-identified-by-schema`) where only such kinds remain, in JSON, and exactly one
   * of their schemas accepts the value.
   */
  readonly bySchema: readonly string[];
  /** Every set of kinds that can remain for a delivery. A set of several is a union. */
  readonly groups: readonly (readonly string[])[];
  /** The sets of kinds that neither a canonical delivery nor their schemas distinguish, each with at least two. */
  readonly indistinct: readonly (readonly string[])[];
  /** Expressions that are not checked, because their conditions can be combined in too many ways. */
  readonly passedOver: readonly string[];
  /** The names of wire variants that are not recognized, because they can be combined in too many ways. */
  readonly passedOverForms: readonly string[];
}

/** A wire variant of one payload, or of several that are written and converted in the same way. */
export interface RecognizedForm {
  /** Unique in the contract. */
  readonly key: string;
  /** The variant of the first payload. */
  readonly variant: Variant;
  /** The schemas of the whole body, one for each payload. */
  readonly schemas: readonly FormSchema[];
  /** The kinds with these payloads. */
  readonly kinds: readonly string[];
}

/** The schema of a body in a wire variant, as one payload. */
interface FormSchema {
  readonly name: string;
  /** The kinds with this payload. */
  readonly kinds: readonly string[];
}

/** Returns the unions in which schemas decide: those whose kinds all state `x-identified-by-schema`. */
export function unionsBySchema({
  groups,
  bySchema,
}: Pick<Recognition, 'groups' | 'bySchema'>): readonly (readonly string[])[] {
  const decided = new Set(bySchema);
  return groups.filter((group) => group.length > 1 && group.every((name) => decided.has(name)));
}

import { optional } from '../../json/json.ts';
import type { Contract, Notification } from '../contract.ts';
import type { Conditions, Variant } from '../../schema/model.ts';
import {
  type Alternative,
  type Decision,
  type DecisionLimits,
  createDecision,
} from './decision.ts';
import { type Read, ValueSources } from './reads.ts';
import { resemblancesOf } from './resemblance.ts';

/** How a receiver decides which kinds a delivery can be, and which wire variant it has. */
export interface Recognition {
  readonly reads: readonly Read[];
  readonly kindOf: Decision;
  /** The kinds as which a value of no kind is refused, because it resembles them; left out where there are none. */
  readonly resembles?: Decision;
  /** Results in the keys of wire variants; in none where a delivery has the canonical wire format. */
  readonly formOf: Decision;
  /** Expressions that are not checked, because their conditions can be combined in too many ways. */
  readonly passedOver: readonly string[];
}

/** A wire variant of a schema, under a name that is unique in the contract. */
export interface NamedVariant {
  readonly key: string;
  readonly variant: Variant;
}

/** Integrators do not write handlers for more groups of kinds than this. The steps take about a second. */
const limits: DecisionLimits = { steps: 2_000_000, unions: 300 };

/**
 * Decides how a receiver recognizes the notifications of a contract. Where the conditions can be combined in too many
 * ways, it ignores expressions that few kinds use. A delivery can then match more kinds, but never fewer.
 * @throws TypeError where the wire variants can be combined in too many ways, and for a condition that cannot be
 * decided
 */
export function decideRecognition(
  { notifications }: Pick<Contract, 'notifications'>,
  forms: readonly NamedVariant[],
): Recognition {
  const list = new ValueSources();
  const kinds = notifications.flatMap(({ name, identifiedBy }) =>
    toAlternatives(name, identifiedBy.length === 0 ? [[]] : identifiedBy, list),
  );
  const ranks = rankExpressions(notifications);
  const formAlternatives = forms.flatMap(({ key, variant }) =>
    toAlternatives(key, [variant.when], list),
  );
  const formOf = createDecision(formAlternatives, list.all, limits);
  if (formOf === undefined)
    throw new TypeError('The wire variants of the contract can be combined in too many ways.');
  const resembling = notifications.flatMap((notification) =>
    toAlternatives(notification.name, resemblancesOf(notification), list),
  );
  const resembles =
    resembling.length === 0 ? undefined : createDecision(resembling, list.all, limits);
  for (let count = ranks.length; ; count = Math.floor(count / 2)) {
    const regarded = new Set(
      ranks
        .slice(0, count)
        .flat()
        .map((expression) => list.indexOf(expression)),
    );
    const kindOf = createDecision(
      kinds.map(({ name, conditions }) => ({
        name,
        conditions: conditions.filter(({ read }) => regarded.has(read)),
      })),
      list.all,
      count === 0 ? undefined : limits,
    );
    if (kindOf !== undefined)
      return {
        reads: list.all,
        kindOf,
        ...optional('resembles', resembles),
        formOf,
        passedOver: ranks.slice(count).flat(),
      };
  }
}

function toAlternatives(
  name: string,
  alternatives: readonly Conditions[],
  list: ValueSources,
): readonly Alternative[] {
  return alternatives.map((conditions) => ({
    name,
    conditions: conditions.map(({ expression, schema, optional: isOptional = false }) => ({
      read: list.indexOf(expression),
      schema,
      optional: isOptional,
    })),
  }));
}

/** Groups the expressions of all conditions by the number of kinds that use them, the largest number first. */
function rankExpressions(notifications: readonly Notification[]): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const { identifiedBy } of notifications) {
    const own = new Set(identifiedBy.flat().map(({ expression }) => expression));
    for (const expression of own) counts.set(expression, (counts.get(expression) ?? 0) + 1);
  }
  const ranks = Map.groupBy(counts.keys(), (expression) => counts.get(expression) ?? 0);
  return [...ranks].toSorted(([a], [b]) => b - a).map(([, expressions]) => expressions);
}

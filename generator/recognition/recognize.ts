import { optional } from '../json/json.ts';
import type { Condition, Conditions } from '../schema/model.ts';
import { findUndecidable } from '../schema/value-set.ts';
import { createFormatGroups, dataFormats } from './data-format.ts';
import {
  type Alternative,
  type Decision,
  type DecisionLimits,
  type DisjointPatterns,
  createDecision,
} from './decision.ts';
import { findConditionRead, ValueSources } from './reads.ts';
import { type Recognition, type RecognizedForm, unionsBySchema } from './recognition.ts';
import type { Recognizable } from './recognizable.ts';
import { resemblancesOf } from './resemblance.ts';
import { kindSetsOf, methodsOf, planRoutes, type Route } from './routes.ts';

/** Integrators do not write handlers for more groups of kinds than this. */
const maxUnions = 300;

/** All steps take about a second, and those for each alternative keep the work in proportion to the contract. */
const maxSteps = 2_000_000;
const maxStepsOfEach = 2000;

function limitsOf({ length }: readonly Alternative[]): DecisionLimits {
  return { steps: Math.min(maxSteps, maxStepsOfEach * length), unions: maxUnions };
}

/**
 * Decides how a receiver recognizes notifications. Where the conditions can be combined in too many ways, it ignores
 * expressions that few kinds use. A delivery can then match more kinds, but never fewer. It also ignores conditions that
 * cannot be decided, which a rule reports.
 * @param forms the wire variants of the payloads
 * @param areDisjoint returns whether no text matches both of two patterns
 */
export function recognize(
  notifications: readonly Recognizable[],
  forms: readonly RecognizedForm[],
  areDisjoint?: DisjointPatterns,
): Recognition {
  const list = new ValueSources();
  const { kindOf, passedOver } = decideKinds(notifications, list, areDisjoint);
  const variants = forms.flatMap(({ key, variant }) => toAlternatives(key, [variant.when], list));
  const formOf = createDecision(variants, list.all, limitsOf(variants), areDisjoint);
  const resembling = notifications.flatMap((notification) =>
    toAlternatives(notification.name, resemblancesOf(notification), list),
  );
  const resembles =
    resembling.length === 0
      ? undefined
      : createDecision(resembling, list.all, limitsOf(resembling), areDisjoint);
  const routes = planRoutes(notifications);
  const bySchema = notifications
    .filter(
      (notification) =>
        notification.identifiedBySchema === true && dataFormats(notification).join(' ') === 'json',
    )
    .map(({ name }) => name);
  return {
    routes,
    methods: methodsOf(notifications),
    reads: list.all,
    kindOf,
    ...optional('resembles', resembles),
    forms,
    formOf: formOf ?? { nodes: [], start: [], ends: [[]] },
    bySchema,
    groups: withSchemas(groupKinds(notifications, forms, routes, kindOf), bySchema),
    indistinct: kindsInSame(notifications, [
      ...groupKinds(notifications, [], routes, kindOf),
      // A label also decides about kinds that come with their label only.
      ...routes.flatMap(kindSetsOf),
    ]).filter((names) => names.length > 1 && !names.every((name) => bySchema.includes(name))),
    passedOver,
    passedOverForms: formOf === undefined ? forms.map(({ variant }) => variant.name) : [],
  };
}

function decideKinds(
  notifications: readonly Recognizable[],
  list: ValueSources,
  areDisjoint: DisjointPatterns | undefined,
): Pick<Recognition, 'kindOf' | 'passedOver'> {
  const kinds = notifications.flatMap(({ name, identifiedBy }) =>
    toAlternatives(name, identifiedBy.length === 0 ? [[]] : identifiedBy, list),
  );
  const ranks = rankExpressions(notifications);
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
      count === 0 ? undefined : limitsOf(kinds),
      areDisjoint,
    );
    if (kindOf !== undefined) return { kindOf, passedOver: ranks.slice(count).flat() };
  }
}

function toAlternatives(
  name: string,
  alternatives: readonly Conditions[],
  list: ValueSources,
): readonly Alternative[] {
  return alternatives.map((conditions) => ({
    name,
    conditions: conditions
      .filter(isDecidable)
      .map(({ expression, schema, optional: isOptional = false }) => ({
        read: list.indexOf(expression),
        schema,
        optional: isOptional,
      })),
  }));
}

function isDecidable({ expression, schema }: Condition): boolean {
  return findConditionRead(expression) !== undefined && findUndecidable(schema) === undefined;
}

/** Groups the expressions of all conditions by the number of kinds that use them, the largest number first. */
function rankExpressions(notifications: readonly Recognizable[]): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const { identifiedBy } of notifications) {
    const checked = identifiedBy.flat().filter(isDecidable);
    for (const expression of new Set(checked.map((condition) => condition.expression)))
      counts.set(expression, (counts.get(expression) ?? 0) + 1);
  }
  const ranks = Map.groupBy(counts.keys(), (expression) => counts.get(expression) ?? 0);
  return [...ranks].toSorted(([a], [b]) => b - a).map(([, expressions]) => expressions);
}

/**
 * Returns every set of kinds that can remain for a delivery: by its values alone, or together with a label, a wire
 * variant or both, and how it is written.
 */
function groupKinds(
  notifications: readonly Recognizable[],
  forms: readonly RecognizedForm[],
  routes: readonly Route[],
  { ends }: Decision,
): readonly (readonly string[])[] {
  const byFormat = createFormatGroups(notifications);
  const groups = new Map<string, readonly string[]>();
  const labels = positionsByName(routes.flatMap(kindSetsOf));
  const variants = positionsByName(forms.map(({ kinds }) => kinds));
  for (const end of ends) {
    for (const labelled of [end, ...intersections(end, labels)]) {
      for (const allowed of [labelled, ...intersections(labelled, variants)]) {
        for (const left of byFormat(allowed)) {
          const key = left.join(' ');
          if (left.length > 0 && !groups.has(key)) groups.set(key, left);
        }
      }
    }
  }
  return [...groups.values()];
}

/** Returns, for each name, the positions of the lists with it. */
function positionsByName(
  lists: readonly (readonly string[])[],
): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, names] of lists.entries()) {
    for (const name of new Set(names)) {
      const known = positions.get(name);
      if (known === undefined) positions.set(name, [position]);
      else known.push(position);
    }
  }
  return positions;
}

/** Returns the names that are in each of some lists as well, without those lists that have none of them. */
function intersections(
  names: readonly string[],
  positionsOf: ReadonlyMap<string, readonly number[]>,
): readonly (readonly string[])[] {
  const found = new Map<number, string[]>();
  for (const name of names) {
    for (const position of positionsOf.get(name) ?? []) {
      const known = found.get(position);
      if (known === undefined) found.set(position, [name]);
      else known.push(name);
    }
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, common]) => common);
}

/** Adds each kind alone that its schema can decide. */
function withSchemas(
  groups: readonly (readonly string[])[],
  bySchema: readonly string[],
): readonly (readonly string[])[] {
  const alone = new Set(groups.filter(({ length }) => length === 1).flat());
  const added = [...new Set(unionsBySchema({ groups, bySchema }).flat())].filter(
    (name) => !alone.has(name),
  );
  return [...groups, ...added.map((name) => [name])];
}

/** Groups kinds by the lists of names that contain them. */
function kindsInSame(
  notifications: readonly Pick<Recognizable, 'name'>[],
  lists: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const containing = positionsByName(lists);
  const names = notifications.map(({ name }) => name);
  return [...Map.groupBy(names, (name) => containing.get(name)?.join(' ')).values()];
}

/** Returns, for each kind, the others that a delivery without a label can be as well, in the order of the kinds. */
export function ambiguousKinds(
  notifications: readonly Pick<Recognizable, 'name'>[],
  { kindOf: { ends } }: Pick<Recognition, 'kindOf'>,
): ReadonlyMap<string, readonly string[]> {
  const positions = new Map(notifications.map(({ name }, position) => [name, position]));
  const endsOf = positionsByName(ends);
  const kindsByName = new Map<string, readonly string[]>();
  for (const names of kindsInSame(notifications, ends)) {
    const [first = ''] = names;
    const possible = new Set((endsOf.get(first) ?? []).flatMap((position) => ends[position] ?? []));
    const ordered = [...possible].toSorted(
      (a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0),
    );
    for (const name of names)
      kindsByName.set(
        name,
        ordered.filter((other) => other !== name),
      );
  }
  return kindsByName;
}

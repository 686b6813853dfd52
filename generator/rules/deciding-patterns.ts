import type { Contract, Notification } from '../contract/contract.ts';
import { headerExamples, headerOf, identifyingValue } from '../contract/delivery.ts';
import { matchVariant, meetsCondition } from '../recognition/match-variant.ts';
import { listFirst, quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import { placesOf } from '../documents/places.ts';
import { canonicalExpression } from '../recognition/exclusive-conditions.ts';
import { bodyPathOf, findConditionRead } from '../recognition/reads.ts';
import { conjunctsAt } from '../schema/conjuncts.ts';
import type { Condition } from '../schema/model.ts';
import { indexSchemas, type SchemaIndex, toReference } from '../schema/references.ts';
import { findUndecidable, patternsOf } from '../schema/value-set.ts';
import { walk } from '../specification/walk.ts';
import { conditionsAt } from '../recognition/written-conditions.ts';
import type { ContractRule, Finding } from './rule.ts';

/**
 * Checks that a pattern that identifies a notification or a wire variant decides about texts: every other value satisfies
 * a `pattern`. Checks that the examples match the patterns, and that a header or member has a value that does.
 */
export const decidingPatterns: ContractRule = {
  codes: ['undecidable-condition', 'unmatched-pattern'],
  *check({ contract, documents }) {
    const uses = usesOf(contract);
    if (uses.length === 0) return;
    const index = indexSchemas(contract);
    for (const place of placesOf(documents)) {
      for (const { expression, schema, of } of conditionsAt(place)) {
        const key = canonicalExpression(expression);
        const expressionUses = uses.filter((use) => use.key === key);
        const here = expressionUses.filter(({ pointer }) => pointer === place.pointer);
        const types = (of === 'x-identified-by' && here.length > 0 ? here : expressionUses).flatMap(
          (use) => otherTypes(use, index),
        );
        const [bare] = types.length === 0 ? [] : barePatterns(schema);
        if (bare === undefined) continue;
        yield {
          pointer: bare.pointer,
          message: `The pattern decides nothing about a value of ${quote(expression)} that is not a text: the schema allows ${listFirst([...new Set(types)])} there, which satisfies any pattern.`,
          help: 'Write `type: string` beside the pattern, or give it to the schema of the payload.',
        };
      }
    }
    for (const notification of contract.notifications) {
      yield* unmatchedExamples(notification, index);
      yield* valuelessHeaders(notification);
    }
  },
};

/** A condition with a pattern, and the data that it is about. */
interface PatternUse {
  readonly key: string;
  readonly pointer: string;
  readonly path: readonly string[];
  readonly payload: string;
}

function usesOf({ notifications, recognition }: Contract): readonly PatternUse[] {
  const ofNotifications = notifications.flatMap(
    ({ identifiedBy, resembledBy = [], ...notification }) =>
      [...identifiedBy, ...resembledBy].flat().map((condition) => ({ condition, ...notification })),
  );
  const ofForms = recognition.forms.flatMap(({ variant, schemas }) =>
    variant.when.flatMap((condition) =>
      schemas.map(({ name }) => ({ condition, payload: name, pointer: variant.pointer })),
    ),
  );
  return [...ofNotifications, ...ofForms].flatMap(({ condition, payload, pointer }) => {
    const path = bodyPathOf(findConditionRead(condition.expression));
    return path === undefined || !hasPattern(condition)
      ? []
      : { key: canonicalExpression(condition.expression), pointer, path, payload };
  });
}

function hasPattern({ schema }: Condition): boolean {
  return findUndecidable(schema) === undefined && patternsOf(schema).length > 0;
}

/** Returns in words the types beside texts that the schema of the data allows for a value. */
function otherTypes({ payload, path }: PatternUse, index: SchemaIndex): readonly string[] {
  const parts = conjunctsAt([toReference(payload)], path, index);
  const isText = parts.some(
    ({ values }) => values?.every((value) => typeof value === 'string') === true,
  );
  const stated = parts.flatMap(({ types }) => (types === undefined ? [] : [types]));
  if (isText || stated.some((types) => types.every((type) => type === 'string'))) return [];
  const [types] = stated;
  return types?.filter((type) => type !== 'string').map((type) => quote(type)) ?? ['any type'];
}

/** Returns the patterns of a condition without a type beside them. */
function barePatterns(schema: Cursor): readonly Cursor[] {
  return Array.from(walk(schema, 'schema'))
    .filter((part) => part.child('type').value === undefined)
    .map((part) => part.child('pattern'))
    .filter(({ value }) => value !== undefined);
}

function* unmatchedExamples(
  { id, identifiedBy, payload, examples }: Notification,
  index: SchemaIndex,
): Generator<Finding> {
  if (!identifiedBy.flat().some(hasPattern)) return;
  const variants = index.get(payload)?.variants ?? [];
  for (const { name, pointer, value } of examples) {
    if (matchVariant(variants, value) !== undefined) continue;
    const unmet = identifiedBy.map((conditions) =>
      conditions.filter(
        (condition) =>
          bodyPathOf(findConditionRead(condition.expression)) !== undefined &&
          !meetsCondition(value, condition),
      ),
    );
    const failing = unmet.flat().find(hasPattern);
    if (failing === undefined || unmet.some((conditions) => conditions.length === 0)) continue;
    yield {
      code: 'unmatched-pattern',
      pointer,
      message: `The example ${quote(name)} of ${quote(id)} does not have the value of ${quote(failing.expression)} that identifies it.`,
      severity: 'by-vocabulary',
    };
  }
}

function* valuelessHeaders(notification: Notification): Generator<Finding> {
  const [first = []] = notification.identifiedBy;
  for (const condition of first) {
    const name = headerOf(condition.expression);
    if (name === undefined || !hasPattern(condition)) continue;
    const examples = headerExamples(notification, name);
    if (identifyingValue(notification, condition.expression, examples) !== undefined) continue;
    yield {
      code: 'unmatched-pattern',
      pointer: notification.pointer,
      message: `The value of the header ${quote(name)} that identifies ${quote(notification.id)} is unknown.`,
      help: 'Add an example to the header that the pattern matches.',
      severity: 'by-vocabulary',
    };
  }
}

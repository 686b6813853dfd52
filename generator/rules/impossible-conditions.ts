import type { Contract, Notification } from '../contract/contract.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import { listFirst, quote, quoteValues } from '../diagnostics/quote.ts';
import { cursorAt, placesOf } from '../documents/places.ts';
import type { Documents } from '../documents/documents.ts';
import type { Cursor } from '../json/cursor.ts';
import type { Scalar } from '../json/json.ts';
import { toPointer } from '../json/pointer.ts';
import { isSameJson } from '../json/same-json.ts';
import {
  type DeclaredValue,
  declaredValue,
  isExcludedCondition,
} from '../recognition/excluded-values.ts';
import { isConditionName } from '../recognition/identification.ts';
import { bodyPathOf, findConditionRead } from '../recognition/reads.ts';
import { refusedSegment } from '../recognition/routes.ts';
import type { Condition, Conditions } from '../schema/model.ts';
import { indexSchemas, type SchemaIndex } from '../schema/references.ts';
import { findUndecidable, holds, scalarsOf, typeOfScalar } from '../schema/value-set.ts';
import type { ContractRule, Finding } from './rule.ts';

/**
 * Checks that a valid delivery can meet the conditions of its notification and of its wire variant. Where no alternative
 * can be met, or a wire variant cannot, it is an error: real deliveries would be acknowledged as unknown. Where another
 * alternative can be met, a value that the contract does not allow is a warning, and a type that it does not allow is
 * none: a delivery with it resembles the notification, and is refused.
 */
export const impossibleConditions: ContractRule = {
  codes: ['impossible-condition'],
  *check({ contract, documents }) {
    const index = indexSchemas(contract);
    for (const notification of contract.notifications) {
      yield* findInLabel(notification, documents);
      if (notification.identifiedByOrigin === 'declared')
        yield* findInNotification(notification, index, documents);
    }
    yield* findInForms(contract, index);
  },
};

/** Finds a path that receivers refuse in every request. */
function* findInLabel(
  { id, label, pointer }: Notification,
  documents: Documents,
): Iterable<Finding> {
  const segment = label && refusedSegment(label.path);
  if (label === undefined || segment === undefined) return;
  const channel = placesOf(documents, 'channel').find(
    (place) => `/${place.text('address') ?? ''}`.replace('//', '/') === label.path,
  );
  yield {
    pointer: channel?.child('address').pointer ?? pointer,
    message: `No delivery of ${quote(id)} arrives at the path ${quote(label.path)}: receivers refuse the segment ${quote(segment)}, because servers could resolve it differently.`,
    help: 'Write the path as servers resolve it: without dot segments, and without encoded slashes, backslashes, percent signs and control characters.',
    until: 'deliveries there are refused',
  };
}

function* findInNotification(
  notification: Notification,
  index: SchemaIndex,
  documents: Documents,
): Generator<Finding> {
  const { identifiedBy, resembledBy = [], pointer, id } = notification;
  const alternatives = [...identifiedBy, ...resembledBy];
  const declaredOf = (expression: string): DeclaredValue | undefined =>
    declaredValue(notification, expression, index);
  const isExcluded = (condition: Condition): boolean =>
    isExcludedCondition(condition, declaredOf(condition.expression));
  const isNever =
    alternatives.length > 0 && alternatives.every((conditions) => conditions.some(isExcluded));
  const identification = cursorAt(documents, pointer).child('x-identified-by');
  let isPlaced = false;
  for (const alternative of identification.listed()) {
    for (const [expression, place] of alternative.entries()) {
      if (isConditionName(expression)) continue;
      const here = conditionsOf(alternatives, expression, place);
      const declared = declaredOf(expression);
      const [condition] = here;
      if (condition === undefined || declared === undefined) continue;
      if (findUndecidable(condition.schema) !== undefined) continue;
      if (here.every(isExcluded)) {
        if (!isNever && !isValueMistaken(condition, declared)) continue;
        isPlaced = true;
        yield {
          ...toProblem(condition, declared, `of ${quote(id)}`),
          pointer: place.pointer,
          ...(isNever ? {} : { severity: 'warning' }),
        };
      } else yield* findInList(condition, declared, place, id);
    }
  }
  const excluded = isNever && !isPlaced ? alternatives[0]?.find(isExcluded) : undefined;
  const declared = excluded && declaredOf(excluded.expression);
  if (excluded !== undefined && declared !== undefined)
    yield {
      ...toProblem(excluded, declared, `of ${quote(id)}`),
      pointer: identification.pointer,
    };
}

/** Returns the conditions of the model that a place states. Patterns in them are those that code matches. */
function conditionsOf(
  alternatives: readonly Conditions[],
  expression: string,
  place: Cursor,
): readonly Condition[] {
  const expressionConditions = alternatives
    .flat()
    .filter((condition) => condition.expression === expression);
  const same = expressionConditions.filter(({ schema }) => isSameJson(schema, place.value));
  return same.length > 0 ? same.slice(0, 1) : expressionConditions;
}

/** Returns whether a condition states a value whose type the contract allows, so that the value is the mistake. */
function isValueMistaken(condition: Condition, declared: DeclaredValue): boolean {
  return statedValues(condition).some((value) => declared.allowsType(value));
}

/** Yields the values of an `enum` that the contract excludes, where it allows others of them. */
function* findInList(
  condition: Condition,
  declared: DeclaredValue,
  place: Cursor,
  id: string,
): Generator<Finding> {
  const values = place.items('enum');
  const stated = statedValues(condition);
  for (const { value, pointer } of values) {
    const excluded = stated.find((statedValue) => statedValue === value);
    if (
      excluded === undefined ||
      !declared.excludes({ const: excluded }) ||
      !declared.allowsType(excluded)
    )
      continue;
    const single = { ...condition, schema: { const: excluded } };
    yield { ...toProblem(single, declared, `of ${quote(id)}`), pointer, severity: 'warning' };
  }
}

function* findInForms(
  { recognition, notifications }: Contract,
  index: SchemaIndex,
): Generator<Finding> {
  for (const { variant, schemas, kinds } of recognition.forms) {
    const notification = notifications.find(({ name }) => kinds.includes(name));
    if (notification === undefined) continue;
    // Other notifications with the format can have another method and path.
    const { method: _, label: __, ...described } = notification;
    for (const condition of variant.when) {
      const declared = schemas.map(({ name: payload }) =>
        declaredValue({ ...described, payload }, condition.expression, index),
      );
      const [first] = declared;
      if (
        first === undefined ||
        !declared.every((declaration) => isExcludedCondition(condition, declaration))
      )
        continue;
      yield {
        ...toProblem(condition, first, `in the variant ${quote(variant.name)}`),
        pointer: toPointer(variant.pointer, 'when', condition.expression),
      };
    }
  }
}

/** The scalars that a condition names and that satisfy it. */
function statedValues({ schema }: Pick<Condition, 'schema'>): readonly Scalar[] {
  return scalarsOf(schema).filter((value) => holds(schema, { type: typeOfScalar(value), value }));
}

function toProblem(
  condition: Condition,
  declared: DeclaredValue,
  of: string,
): { readonly message: string; readonly help: string | undefined } {
  const { expression, schema } = condition;
  const at = quote(expression);
  const stated = statedValues(condition);
  const help = helpFor(stated, declared, expression);
  if (schema === false)
    return {
      message: `Each valid delivery ${of} has a value at ${at}, which has to be absent.`,
      help,
    };
  if (stated.length === 0)
    return {
      message: `No valid delivery ${of} has a value at ${at} that meets the condition.`,
      help,
    };
  const values = stated.length === 1 ? 'the value' : 'one of the values';
  return {
    message: `No valid delivery ${of} has ${values} ${quoteValues(stated)} at ${at}.`,
    help,
  };
}

/** Returns what the author may have meant; `undefined` where the contract gives no hint. */
function helpFor(
  stated: readonly Scalar[],
  { listed, limit }: DeclaredValue,
  expression: string,
): string | undefined {
  const isText = bodyPathOf(findConditionRead(expression)) === undefined;
  const other = isText ? stated.find((value) => typeof value !== 'string') : undefined;
  if (other !== undefined)
    return `This part of a request is always a text: write \`const: '${quote(String(other)).slice(1, -1)}'\`.`;
  if (stated.some((value) => typeof value === 'string' && limit?.excludes(value) === true))
    return limit?.rule;
  const names = listed.map(String);
  const index = new NameIndex(names);
  for (const value of stated) {
    const suggestion = didYouMean(String(value), index);
    if (suggestion !== undefined) return suggestion;
  }
  return names.length === 0 ? undefined : `The contract lists ${listFirst(names.map(quote))}.`;
}

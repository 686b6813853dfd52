import { isJsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { hasAny, type Place } from '../specification/walk.ts';
import { conditionsKey, isConditionName } from '../recognition/identification.ts';
import { choicesOf, type UnstatedEntry } from '../documents/unstated-entries.ts';

/** An expression in a value of the vocabulary, and its role. */
export interface ExpressionUse {
  readonly expression: string;
  /** The place of the expression: a value, or the key of a map. */
  readonly pointer: Pointer;
  /**
   * `absence`: the value must not be present. `key`: the value identifies an event, or decides its order. `variant`: the
   * value distinguishes a wire variant, by its presence or absence.
   */
  readonly role: 'signed' | 'token' | 'presence' | 'absence' | 'key' | 'variant';
}

/** An expression, and the JSON Schema that its value must match. */
export interface WrittenCondition {
  readonly expression: string;
  readonly schema: Cursor;
  readonly of: 'x-identified-by' | 'x-conditions' | 'x-variants';
}

/** Returns the conditions of `x-identified-by`, `x-conditions` and `x-variants` on an object. */
export function conditionsAt(place: Place): readonly WrittenCondition[] {
  // Most objects of a contract have none of these keys.
  if (!hasAny(place.value, conditional)) return [];
  const alternatives = place.child('x-identified-by').listed();
  const forms = place.entries('x-variants').map(([, form]) => form.child('when'));
  const named = place.entries(conditionsKey).flatMap(([, condition]) => condition.items());
  return [
    ...alternatives.flatMap((map) => toConditions(map, 'x-identified-by')),
    ...named.flatMap((map) => toConditions(map, conditionsKey)),
    ...forms.flatMap((map) => toConditions(map, 'x-variants')),
  ];
}

/** Returns all expressions on an object, including those in the choices of the ledger entries that it refers to. */
export function expressionsAt(
  place: Place,
  ledger: readonly UnstatedEntry[],
): readonly ExpressionUse[] {
  if (!hasAny(place.value, conditional) && !hasAny(place.value, expressive)) return [];
  const over = place.items('x-signature', 'over');
  return [
    ...over.flatMap((at) => uses(at, 'signed', ledger)),
    ...timestampHeader(place.child('x-signature', 'timestamp', 'header')),
    ...['token', 'lifetime'].flatMap((member) =>
      uses(place.child('x-access-token', member), 'token', ledger),
    ),
    ...conditionsAt(place).map(({ expression, schema, of }): ExpressionUse => {
      const role = schema.value === false ? 'absence' : 'presence';
      return {
        expression,
        pointer: schema.pointer,
        role: of === 'x-variants' ? 'variant' : role,
      };
    }),
    ...['x-dedupe-by', 'x-ordered-by']
      .flatMap((key) => place.child(key).listed())
      .flatMap((at) => uses(at, 'key', ledger)),
  ];
}

const conditional = ['x-identified-by', conditionsKey, 'x-variants'] as const;
const expressive = ['x-signature', 'x-access-token', 'x-dedupe-by', 'x-ordered-by'] as const;

function toConditions(map: Cursor, of: WrittenCondition['of']): readonly WrittenCondition[] {
  return map
    .entries()
    .filter(([expression]) => !isConditionName(expression))
    .map(([expression, schema]) => ({ expression, schema, of }));
}

function uses(
  at: Cursor,
  role: ExpressionUse['role'],
  ledger: readonly UnstatedEntry[],
): readonly ExpressionUse[] {
  const expression = at.text();
  if (expression !== undefined) return [{ expression, pointer: at.pointer, role }];
  const id = isJsonObject(at.value) ? at.text('unstated') : undefined;
  return ledger
    .filter((entry) => entry.id === id)
    .flatMap(choicesOf)
    .flatMap(({ value, pointer }) => {
      const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
      return listed
        .filter((choice) => typeof choice === 'string')
        .map((choice) => ({ expression: choice, pointer, role }));
    });
}

function timestampHeader(at: Cursor): readonly ExpressionUse[] {
  const name = at.text();
  if (name === undefined) return [];
  return [{ expression: `$request.header.${name}`, pointer: at.pointer, role: 'signed' }];
}

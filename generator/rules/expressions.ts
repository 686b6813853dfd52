import { isJsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { hasAny, type Place } from '../specification/walk.ts';
import { conditionsAt } from '../recognition/written-conditions.ts';
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

/** Returns all expressions on an object, including those in the choices of the ledger entries that it refers to. */
export function expressionsAt(
  place: Place,
  ledger: readonly UnstatedEntry[],
): readonly ExpressionUse[] {
  const conditions = conditionsAt(place);
  if (conditions.length === 0 && !hasAny(place.value, expressive)) return [];
  const over = place.items('x-signature', 'over');
  return [
    ...over.flatMap((at) => uses(at, 'signed', ledger)),
    ...namedHeader(place.child('x-signature', 'timestamp', 'header')),
    ...namedHeader(place.child('x-signature', 'key', 'idHeader')),
    ...['token', 'lifetime'].flatMap((member) =>
      uses(place.child('x-access-token', member), 'token', ledger),
    ),
    ...conditions.map(({ expression, schema, of }): ExpressionUse => {
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

const expressive = ['x-signature', 'x-access-token', 'x-dedupe-by', 'x-ordered-by'] as const;

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

function namedHeader(at: Cursor): readonly ExpressionUse[] {
  const name = at.text();
  if (name === undefined) return [];
  return [{ expression: `$request.header.${name}`, pointer: at.pointer, role: 'signed' }];
}

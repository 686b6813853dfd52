import type { Json } from '../json/json.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { Contract, Notification } from '../contract/contract.ts';
import type { Condition, Variant } from '../schema/model.ts';
import { child, toCursor } from '../json/cursor.ts';
import type { ExampleCheck } from './example-check.ts';

/**
 * Returns the wire variant of a body: the first one whose conditions the body meets. Returns `undefined` for the
 * canonical wire format.
 */
export async function formOf(
  { payload }: Notification,
  value: Json,
  { schemas }: Contract,
  check: ExampleCheck,
): Promise<Variant | undefined> {
  const variants = schemas.find(({ name }) => name === payload)?.variants ?? [];
  for (const variant of variants) {
    const met = variant.when.map((condition) => meets(condition, value, check));
    if ((await Promise.all(met)).every(Boolean)) return variant;
  }
  return undefined;
}

/**
 * Returns whether a body meets a condition. A condition on any other part of the request is not met: an example has
 * only a body.
 */
async function meets(
  { expression, schema }: Condition,
  value: Json,
  check: ExampleCheck,
): Promise<boolean> {
  const path = /^\$request\.body(?:#(?<path>\/.*)?)?$/s.exec(expression)?.groups;
  if (path === undefined) return false;
  const root = toCursor({ body: value }, 'openapi');
  const found = child(root, 'body', ...pointerMembers(path['path'] ?? '')).value;
  if (found === undefined || schema === false) return found === undefined && schema === false;
  return (await check(schema, found)).length === 0;
}

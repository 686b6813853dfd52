import type { Contract } from '../../contract/contract.ts';
import { childOf } from '../../json/descend.ts';
import { type Json, isJsonObject } from '../../json/json.ts';
import { pointerMembers } from '../../json/pointer.ts';

/** A value of the model, and the members that lead to it, joined by dots. */
export interface ContractPart {
  readonly path: string;
  readonly value: Json;
}

/**
 * Returns the parts of the model that a text selects, or an empty list. The text is one of:
 *
 * - a path such as `operations.0.responses`, where the item of a list can be named: `schemas.Parcel`
 * - a JSON Pointer into the model, such as `/operations/0`
 * - a pointer into a bundled document, such as `openapi#/paths/~1parcels/get`: the parts that are read from there
 * - the name, id or type name of a schema, operation, notification, security scheme or question
 */
export function findParts(contract: Contract, text: string): readonly ContractPart[] {
  // The model is JSON by definition.
  const root = contract as unknown as Json;
  if (text === '') return [{ path: '', value: root }];
  if (/^(?:openapi|asyncapi)#/u.test(text)) return partsReadFrom(root, text);
  if (text.startsWith('/')) return follow(root, pointerMembers(text));
  const named = Object.entries(contract).flatMap(([list, items]) =>
    Array.isArray(items) ? follow(items, [text], list) : [],
  );
  return named.length > 0 ? named : follow(root, text.split('.'));
}

/**
 * Returns whether a text is a path of members that only the model can have: the whole model, or a member of a member,
 * such as `operations.0`.
 */
export function isMemberPath(contract: Contract, text: string): boolean {
  const [member = '', ...further] = text.split('.');
  return text === '' || (further.length > 0 && Object.hasOwn(contract, member));
}

/** The members by which an item of a list can be named. */
const names = ['name', 'id', 'typeName'];

function follow(root: Json, members: readonly string[], from = ''): readonly ContractPart[] {
  let parts: readonly ContractPart[] = [{ path: from, value: root }];
  for (const member of members) {
    parts = parts.flatMap(({ path, value }) => {
      const child = childOf(value, member);
      if (child !== undefined) return [{ path: join(path, member), value: child }];
      if (!Array.isArray(value)) return [];
      return (value as readonly Json[]).flatMap((item, index) =>
        names.some((name) => childOf(item, name) === member)
          ? [{ path: join(path, String(index)), value: item }]
          : [],
      );
    });
  }
  return parts;
}

/** Returns the nodes of the model with this `pointer`, or else the nodes with the longest pointer that contains it. */
function partsReadFrom(root: Json, pointer: string): readonly ContractPart[] {
  let parts: ContractPart[] = [];
  let longest = 0;
  const queue: ContractPart[] = [{ path: '', value: root }];
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    const { path, value } = part;
    const at = childOf(value, 'pointer');
    if (typeof at === 'string' && at.length >= longest && `${pointer}/`.startsWith(`${at}/`)) {
      parts = at.length > longest ? [part] : [...parts, part];
      longest = at.length;
    }
    if (!Array.isArray(value) && !isJsonObject(value)) continue;
    for (const [member, inner] of Object.entries(value).toReversed()) {
      // The published documents are not part of the model.
      if (inner !== undefined && !(path === '' && member === 'documents'))
        queue.push({ path: join(path, member), value: inner });
    }
  }
  return parts;
}

function join(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`;
}

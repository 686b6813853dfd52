import { memoize } from '../execution/memoize.ts';
import { escapeMember, pointerMembers } from '../json/pointer.ts';
import type { JsonSchema, Variant } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import { referenceOf, resolveSchema, type SchemaIndex, toReference } from '../schema/references.ts';
import type { Notification, OpenCode } from './contract.ts';

/** The locations of a payload that are searched. References can make a small schema describe more of them. */
const maxLocations = 20_000;

/**
 * Returns the paths of members that accept codes which the contract does not list (`x-extensible-enum`). Leaves out
 * those that identify the notification: with another code, it would be one of another kind.
 */
export function openCodesOf(
  index: SchemaIndex,
  { payload, identifiedBy }: Pick<Notification, 'payload' | 'identifiedBy'>,
  wire: string,
): readonly OpenCode[] {
  const identifying = new Set(identifiedBy.flat().map(({ expression }) => expression));
  const variants = index.get(payload)?.variants ?? [];
  const identifies = (path: readonly string[]): boolean =>
    [path, ...variants.map((variant) => canonicalPath(variant, path))].some((equivalentPath) =>
      identifying.has(
        `$request.body#${equivalentPath.map((member) => `/${escapeMember(member)}`).join('')}`,
      ),
    );
  const codes = new Map<string, OpenCode>();
  if (!hasOpenEnumerations(index)) return [];
  let visited = 0;
  const visit = (schema: JsonSchema, path: readonly string[], seen: readonly string[]): void => {
    const name = referenceOf(schema);
    if ((name !== undefined && seen.includes(name)) || visited > maxLocations) return;
    visited += 1;
    const trail = name === undefined ? seen : [...seen, name];
    const enumeration = name === undefined ? undefined : index.get(name)?.enumeration;
    if (enumeration?.open === true && !identifies(path))
      codes.set(JSON.stringify(path), { path, type: enumeration.base });
    const node = new SchemaNode(resolveSchema(index, schema) ?? true);
    for (const part of [...node.allOf, ...node.anyOf, ...node.oneOf]) visit(part, path, trail);
    for (const [key, member] of node.properties) visit(member, [...path, key], trail);
    const items = node.schema('items');
    if (items !== undefined) visit(items, [...path, '*'], trail);
  };
  visit(toReference(wire), [], []);
  return [...codes.values()];
}

const hasOpenEnumerations = memoize((index: SchemaIndex): boolean =>
  [...index.values()].some(({ enumeration }) => enumeration?.open === true),
);

/** Returns where the canonical form has a member of another wire format. */
function canonicalPath(
  { each, as = '', rename }: Variant,
  path: readonly string[],
): readonly string[] {
  const element = each === undefined ? [] : [...pointerMembers(each), '*'];
  if (element.some((member, index) => path[index] !== member)) return path;
  const [name = '', ...rest] = path.slice(element.length);
  return [...pointerMembers(as), rename[name] ?? name, ...rest];
}

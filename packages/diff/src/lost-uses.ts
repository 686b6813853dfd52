import type { Pointer, Schema } from 'countersign';
import { indexSchemas, SchemaNode } from 'countersign/companion/contract';
import { walk } from 'countersign/companion/project';
import { Cursor, isJsonObject } from 'countersign/companion/values';
import type { Contract, Json, JsonObject, SchemaIndex } from 'countersign/kit';

/** Returns whether a schema is written in the place of references to it. */
export function isWrittenInPlace(schema: Schema, { base, head }: Sides): boolean {
  const index = indexSchemas(base);
  const copiesIn = ({ schemas }: Contract): number =>
    schemas
      .filter(({ name, isUnused }) => isUnused !== true && name !== schema.name)
      .flatMap(places)
      .filter(({ value }) => isWrittenAs(schema.definition, value, index)).length;
  return copiesIn(head) > copiesIn(base);
}

interface Sides {
  readonly base: Contract;
  readonly head: Contract;
}

/** Returns whether a value is another one of the base, or becomes it if references of the base are followed. */
function isWrittenAs(was: Json, is: Json, index: SchemaIndex): boolean {
  if (was === is) return true;
  if (Array.isArray(was) || Array.isArray(is)) {
    if (!Array.isArray(was) || !Array.isArray(is) || was.length !== is.length) return false;
    return was.every((item, position) => isWrittenAs(item, is[position], index));
  }
  if (!isJsonObject(was) || !isJsonObject(is)) return false;
  if (Object.hasOwn(was, '$ref') && !Object.hasOwn(is, '$ref')) {
    const target = new SchemaNode(was).target(index);
    return target !== undefined && isWrittenAs(target, is, index);
  }
  const [names, others] = [Object.keys(was), Object.keys(is)];
  return (
    names.length === others.length &&
    names.every(
      (name) => Object.hasOwn(is, name) && isWrittenAs(was[name] ?? null, is[name] ?? null, index),
    )
  );
}

/**
 * Returns the places of all references to a schema, and of those to the schemas that lose their last use with it and
 * refer to it.
 */
export function lostReferences(name: string, { base, head }: Sides): readonly Pointer[] {
  const after = indexSchemas(head);
  const names = new Set([name]);
  const found: Pointer[] = [];
  // The iteration includes names that are added during it.
  for (const target of names)
    for (const holder of base.schemas) {
      if (!holder.references.includes(target)) continue;
      if (after.get(holder.name)?.isUnused === true) names.add(holder.name);
      for (const { pointer, value } of places(holder))
        if (new SchemaNode(value).reference === target) found.push(pointer);
    }
  return found;
}

function places({
  pointer,
  definition,
}: Schema): readonly (Cursor & { readonly value: JsonObject })[] {
  return [...walk(new Cursor({}, pointer, definition), 'schema')];
}

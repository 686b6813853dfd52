import type { Parameter, Pointer, Schema } from 'countersign';
import { indexSchemas, SchemaNode } from 'countersign/companion/contract';
import { walk } from 'countersign/companion/project';
import { Cursor, isJsonObject } from 'countersign/companion/values';
import type { Contract, Json, JsonObject, SchemaIndex } from 'countersign/kit';

interface Sides {
  readonly base: Contract;
  readonly head: Contract;
}

/** Returns whether a schema is written in the place of references to it. */
export function isWrittenInPlace(schema: Schema, { base, head }: Sides): boolean {
  const index = indexSchemas(base);
  const copiesIn = (contract: Contract): number =>
    [...places(contract)].filter(
      ({ owner, value }) =>
        owner?.isUnused !== true &&
        owner?.name !== schema.name &&
        isWrittenAs(schema.definition, value, index),
    ).length;
  return copiesIn(head) > copiesIn(base);
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
  const names = Object.keys(was);
  return (
    names.length === Object.keys(is).length &&
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
  const all = [...places(base)];
  const names = new Set([name]);
  const found: Pointer[] = [];
  // The iteration includes names that are added during it.
  for (const target of names)
    for (const { owner, pointer, value } of all) {
      if (new SchemaNode(value).reference !== target) continue;
      found.push(pointer);
      if (owner !== undefined && after.get(owner.name)?.isUnused === true) names.add(owner.name);
    }
  return found;
}

/** A place of a schema: in the named one that owns it, or in a parameter. */
interface SchemaPlace {
  readonly owner?: Schema;
  readonly pointer: Pointer;
  readonly value: JsonObject;
}

/** Yields the places of all schemas of a contract. */
function* places(contract: Contract): Generator<SchemaPlace> {
  for (const owner of contract.schemas)
    for (const { pointer, value } of walk(
      new Cursor({}, owner.pointer, owner.definition),
      'schema',
    ))
      yield { owner, pointer, value };
  for (const { pointer, schema } of parametersOf(contract))
    yield* walk(new Cursor({}, pointer, schema), 'schema');
}

function parametersOf({ operations, notifications }: Contract): readonly Parameter[] {
  return [
    ...operations.flatMap(({ parameters, responses }) => [
      ...parameters,
      ...responses.flatMap(({ headers }) => headers),
    ]),
    ...notifications.flatMap(({ headers, label }) => [...headers, ...(label?.parameters ?? [])]),
  ];
}

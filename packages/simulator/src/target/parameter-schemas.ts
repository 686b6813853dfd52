import type { Schema } from 'countersign';
import { indexSchemas, referencesOf } from 'countersign/companion/contract';
import {
  type Contract,
  type JsonObject,
  NameRegistry,
  type Operation,
  type Parameter,
  reachableFrom,
  toTypeName,
} from 'countersign/kit';

/** The schemas that validate the parameters of operations, and the schemas that they refer to. */
export interface ParameterSchemas {
  /** By the name of the operation. */
  readonly byOperation: ReadonlyMap<string, Schema>;
  readonly schemas: readonly Schema[];
}

const places: readonly Parameter['in'][] = ['path', 'query', 'header', 'cookie'];

/**
 * Derives a schema for the parameters of each operation that has any: an object with a member for each `in`, which has
 * the decoded values by name. Names of headers are in lower case.
 */
export function parameterSchemas(contract: Contract): ParameterSchemas {
  const names = new NameRegistry<string>();
  for (const { name, typeName } of contract.schemas)
    for (const taken of [name, typeName]) names.claim(taken, taken);
  const byOperation = new Map<string, Schema>();
  for (const operation of contract.operations) {
    if (operation.parameters.length === 0) continue;
    const typeName = names.claimFree(`${toTypeName(operation.name)}Parameters`, operation.id);
    const definition = toDefinition(operation.parameters);
    byOperation.set(operation.name, {
      kind: 'schema',
      pointer: operation.pointer,
      source: [],
      name: typeName,
      typeName,
      deprecated: false,
      origin: 'inline',
      definition,
      references: referencesOf(definition),
      variants: [],
      examples: [],
    });
  }
  const index = indexSchemas(contract);
  const reached = new Set(
    [...byOperation.values()].flatMap(({ references }) =>
      references.flatMap((name) => reachableFrom(index, name)),
    ),
  );
  const referred = contract.schemas.filter(({ name }) => reached.has(name));
  return { byOperation, schemas: [...byOperation.values(), ...referred] };
}

function toDefinition(parameters: Operation['parameters']): JsonObject {
  const groups = places.map((place) => [place, groupOf(parameters, place)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(groups),
    required: groups.flatMap(([place, { required }]) => (required.length > 0 ? [place] : [])),
  };
}

function groupOf(
  parameters: Operation['parameters'],
  place: Parameter['in'],
): JsonObject & { readonly required: readonly string[] } {
  // No request can contain a name that is not well-formed Unicode, and Ajv accepts no such member.
  const placed = parameters.filter(
    (parameter) => parameter.in === place && parameter.name.isWellFormed(),
  );
  const nameOf = ({ name }: Parameter): string => (place === 'header' ? name.toLowerCase() : name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      placed.map((parameter) => [nameOf(parameter), parameter.schema]),
    ),
    required: placed.filter(({ required }) => required).map(nameOf),
  };
}

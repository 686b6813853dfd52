import type { Contract, Operation, Parameter, Unstated } from './contract.ts';
import { entriesAt } from './ledger-entries.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { SchemaNode } from '../schema/node.ts';

/** The member of an input that holds the parameters of each location (`in`). */
export const groupOf = {
  path: 'path',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const;

export type Group = (typeof groupOf)[Parameter['in']];

/** Returns whether the caller has to pass a value. */
export function isRequiredInput(parameter: Parameter): boolean {
  return parameter.required && parameter.everyRequest === undefined;
}

/**
 * Returns the parameters of an operation without those that one of its security schemes sends. Some contracts declare a
 * key as both; the client sends the credential, and refuses another value.
 */
export function inputParameters(
  contract: Pick<Contract, 'security'>,
  operation: Operation,
): readonly Parameter[] {
  const ids = new Set(operation.security.flat().map(({ scheme }) => scheme));
  const keys = contract.security.filter(({ id, type }) => ids.has(id) && type === 'apiKey');
  return operation.parameters.filter(
    ({ in: place, name, everyRequest }) =>
      everyRequest !== undefined ||
      !keys.some(
        (key) => key.in === place && key.parameterName?.toLowerCase() === name.toLowerCase(),
      ),
  );
}

/** Returns the parameters of one location as the schema of an object, which gives their type and comments. */
export function groupSchema(contract: Contract, parameters: readonly Parameter[]): JsonObject {
  const properties: [string, Json][] = parameters.map((parameter) => [
    parameter.name,
    describe(parameter, entriesAt(contract, parameter.pointer)),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(isRequiredInput).map(({ name }) => name),
    additionalProperties: false,
  };
}

function describe(
  { schema, description, source, notes, deprecated }: Parameter,
  entries: readonly Unstated[],
): JsonObject {
  const { 'x-unstated': stated, ...keywords } = new SchemaNode(schema).keywords;
  const ids = [...entries.map(({ id }) => id), ...Object.keys(isJsonObject(stated) ? stated : {})];
  return {
    ...keywords,
    // Comments of types name the entries by their ids.
    ...(ids.length === 0 ? {} : { 'x-unstated': Object.fromEntries(ids.map((id) => [id, {}])) }),
    ...(description === undefined ? {} : { description }),
    ...(source.length === 0 ? {} : { 'x-source': source }),
    ...(notes === undefined ? {} : { 'x-note': notes }),
    ...(deprecated ? { deprecated } : {}),
  };
}

import type { Parameter } from '../../contract/contract.ts';
import type { Json, JsonObject } from '../../json/json.ts';

/** What a group of an input is called, by the place of its parameters. */
export const groupOf = {
  path: 'path',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
} as const;

export type Group = (typeof groupOf)[Parameter['in']];

/** Whether a value is made for every call, and none may be given. */
export function isMade({ everyRequest }: Parameter): boolean {
  return everyRequest?.value === 'timestamp';
}

/** Whether the caller has to give a value. */
export function isDemanded(parameter: Parameter): boolean {
  return parameter.required && parameter.everyRequest === undefined;
}

/** The parameters of one place as the schema of an object, so that they are typed and described like one. */
export function groupSchema(parameters: readonly Parameter[]): JsonObject {
  const properties: [string, Json][] = parameters.map((parameter) => [
    parameter.name,
    describe(parameter),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(isDemanded).map(({ name }) => name),
    additionalProperties: false,
  };
}

function describe({ schema, description, source, deprecated }: Parameter): JsonObject {
  if (schema === false) return { not: {} };
  return {
    ...(schema === true ? {} : schema),
    ...(description === undefined ? {} : { description }),
    ...(source.length === 0 ? {} : { 'x-source': source }),
    ...(deprecated ? { deprecated } : {}),
  };
}

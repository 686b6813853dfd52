import { bodyProperties } from '../schema/declared-properties.ts';
import type { JsonSchema, Schema } from '../schema/model.ts';
import { SchemaNode } from '../schema/node.ts';
import { indexSchemas } from '../schema/references.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import { inputParameters, isRequiredInput } from './inputs.ts';
import { requestContent } from './media-types.ts';

/** A value that a client passes to the operation that issues its tokens. */
export interface TokenValue {
  readonly name: string;
  readonly in: Parameter['in'] | 'body';
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly source: readonly string[];
}

/** The input of an operation that issues tokens. */
export interface TokenInput {
  /** The required parameters, then the properties of the body. */
  readonly values: readonly TokenValue[];
  /** The schema of the body; left out if it has none. */
  readonly body?: Schema;
}

/** Returns the input of an operation that issues tokens. */
export function tokenInputOf(
  contract: Pick<Contract, 'security' | 'schemas'>,
  operation: Operation,
): TokenInput {
  const index = indexSchemas(contract);
  const parameters = inputParameters(contract, operation)
    .filter(isRequiredInput)
    .map(({ name, in: place, schema, required, source }) => ({
      name,
      in: place,
      schema,
      required,
      source,
    }));
  const [media] = requestContent(operation);
  const body = index.get(media?.schema ?? '');
  const properties = body === undefined ? [] : bodyProperties(index, body.name);
  return {
    values: [
      ...parameters,
      ...properties.map((property) => ({
        ...property,
        in: 'body' as const,
        source: new SchemaNode(property.schema).source,
      })),
    ],
    ...(body === undefined ? {} : { body }),
  };
}

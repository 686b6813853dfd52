import type { Contract, Parameter } from '../../contract/contract.ts';
import { indexSchemas } from '../../schema/references.ts';
import { toMemberName } from '../../contract/names.ts';
import { SchemaNode } from '../../schema/node.ts';
import { Code, code } from '../code.ts';
import { identifier, literal, object, objectUnlessEmpty } from '../escape.ts';
import { type BodyProperty, bodyProperties } from '../../schema/declared-properties.ts';
import type { Credentials } from './credentials.ts';
import { requestContent } from '../../contract/media-types.ts';
import { groupOf, inputParameters, isRequiredInput } from '../../contract/inputs.ts';
import { namespace, type Call } from '../../contract/calls.ts';

/** The input that a client passes to the operation that issues its tokens. */
interface TokenInput {
  /** An object literal; `undefined` where the operation takes no input. */
  readonly input: Code | undefined;
  /** The credentials that the operation requires. */
  readonly needed: readonly Code[];
}

/**
 * Describes the input of an operation that issues tokens. Each required parameter and each property of the body is read
 * from a credential, which is added to `credentials`. A constant of the contract is written as a literal.
 * @param required whether calls need the token, so that the user has to provide the credentials that it requires
 */
export function describeTokenInput(
  contract: Contract,
  { operation, name: operationName }: Call,
  credentials: Credentials,
  required: boolean,
): TokenInput {
  const index = indexSchemas(contract);
  const needed: Code[] = [];
  const give = (
    { name, schema, required: isNeeded }: BodyProperty,
    type: Code,
    source: readonly string[],
    place: Parameter['in'] | 'body',
  ): Code => {
    const node = new SchemaNode(schema);
    if (node.constant !== undefined) return literal(node.constant);
    const credential = credentials.read(toMemberName(name), {
      owner: `${operation.id} ${name}`,
      type,
      description: node.text('description'),
      source,
      notes: node.notes,
      questions: [],
      deprecated: false,
      schema,
      sentBy: {
        operation: operationName,
        in: place,
        name,
        ...(isNeeded ? {} : { isOptional: true as const }),
      },
      required: required && isNeeded,
    });
    if (isNeeded) needed.push(credential);
    return credential;
  };
  const parameters = inputParameters(contract, operation)
    .filter(isRequiredInput)
    .map((it) => ({ it, value: give(it, new Code('string'), it.source, it.in) }));
  const groups = Array.from(
    Map.groupBy(parameters, ({ it }) => groupOf[it.in]),
    ([group, list]) => [group, object(list.map(({ it, value }) => [it.name, value]))] as const,
  );
  const [media] = requestContent(operation);
  const schema = index.get(media?.schema ?? '');
  const members = schema === undefined ? [] : bodyProperties(index, schema.name);
  const body = members.map((property) => {
    const type = code`${identifier(namespace)}.${identifier(schema?.typeName ?? '')}[${literal(property.name)}]`;
    const { source } = new SchemaNode(property.schema);
    return [property.name, give(property, type, source, 'body')] as const;
  });
  return { input: objectUnlessEmpty([...groups, ['body', objectUnlessEmpty(body)]]), needed };
}

import type { Contract, Operation } from '../../contract/contract.ts';
import { indexSchemas } from '../../schema/references.ts';
import { toMemberName } from '../../contract/lower/names.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import { bodyProperties } from './body-properties.ts';
import type { Credentials } from './credentials.ts';
import { requestContent } from './media-types.ts';
import { namespace } from './operation-types.ts';
import { groupOf, isRequiredInput } from './parameters.ts';

/** The input that a client passes to the operation that issues its tokens. */
export interface TokenInput {
  /** An object literal; `undefined` where the operation takes no input. */
  readonly text: Code | undefined;
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
  operation: Operation,
  credentials: Credentials,
  required: boolean,
): TokenInput {
  const index = indexSchemas(contract);
  const needed: Code[] = [];
  const groups = new Map<string, Code[]>();
  const give = (
    name: string,
    type: Code,
    schema: JsonSchema,
    isNeeded: boolean,
    source: readonly string[],
  ): Code => {
    const node = new SchemaNode(schema);
    if (node.constant !== undefined) return literal(node.constant);
    const about = { description: node.text('description'), notes: node.notes, source };
    const credential = credentials.read(
      toMemberName(name),
      `${operation.id} ${name}`,
      type,
      about,
      required && isNeeded,
    );
    if (isNeeded) needed.push(credential);
    return credential;
  };
  for (const parameter of operation.parameters) {
    if (parameter.everyRequest !== undefined || !isRequiredInput(parameter)) continue;
    const group = groupOf[parameter.in];
    const value = give(
      parameter.name,
      new Code('string'),
      parameter.schema,
      true,
      parameter.source,
    );
    groups.set(group, [
      ...(groups.get(group) ?? []),
      code`${memberName(parameter.name)}: ${value}`,
    ]);
  }
  const [media] = requestContent(operation);
  const typeName = media?.schema === undefined ? undefined : index.get(media.schema)?.typeName;
  const members = media?.schema === undefined ? [] : bodyProperties(index, media.schema);
  const body = members.map(({ name, schema, required: isNeeded }) => {
    const type =
      typeName === undefined
        ? new Code('unknown')
        : code`${identifier(namespace)}.${identifier(typeName)}[${literal(name)}]`;
    const value = give(name, type, schema, isNeeded, new SchemaNode(schema).source);
    return code`${memberName(name)}: ${value}`;
  });
  const parts = [
    ...Array.from(
      groups,
      ([group, list]) => code`${identifier(group)}: { ${joinCode(list, ', ')} }`,
    ),
    ...(body.length === 0 ? [] : [code`body: { ${joinCode(body, ', ')} }`]),
  ];
  return {
    text: parts.length === 0 ? undefined : code`{ ${joinCode(parts, ', ')} }`,
    needed,
  };
}

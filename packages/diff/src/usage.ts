import { indexSchemas, referencesOf } from 'countersign/companion/contract';
import type { Content, Contract, Parameter } from 'countersign/kit';
import type { Role } from './change.ts';

/**
 * Returns the roles that use each schema, by schema name. The roles determine whether a change of the schema is
 * breaking.
 */
export function rolesOfSchemas(contract: Contract): ReadonlyMap<string, ReadonlySet<Role>> {
  const roles = new Map<string, Set<Role>>();
  const index = indexSchemas(contract);
  const add = (role: Role, ...names: readonly (string | undefined)[]): void => {
    const stack = [...names];
    while (stack.length > 0) {
      const name = stack.pop();
      const schemaRoles = roles.get(name ?? '') ?? new Set<Role>();
      // A schema of thousands of operations is traversed once.
      if (name === undefined || schemaRoles.has(role)) continue;
      roles.set(name, schemaRoles.add(role));
      stack.push(...(index.get(name)?.references ?? []));
    }
  };
  const addContent = (role: Role, content: readonly Content[]): void => {
    for (const { schema, itemSchema } of content) add(role, schema, itemSchema);
  };
  const addParameters = (role: Role, parameters: readonly Parameter[]): void => {
    for (const { schema } of parameters) add(role, ...referencesOf(schema));
  };
  for (const { parameters, requestBody, responses } of contract.operations) {
    addParameters('request', parameters);
    addContent('request', requestBody?.content ?? []);
    for (const { headers, content } of responses) {
      addParameters('response', headers);
      addContent('response', content);
    }
  }
  for (const { payload, headers, headersSchema, label } of contract.notifications) {
    add('notification', payload, headersSchema);
    addParameters('notification', [...headers, ...(label?.parameters ?? [])]);
  }
  for (const { payload, headers, from } of contract.messages)
    add(from === 'service' ? 'notification' : 'request', payload, headers);
  return roles;
}

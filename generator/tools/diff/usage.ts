import type { Content, Contract, Parameter } from '../../contract/contract.ts';
import type { JsonSchema } from '../../schema/model.ts';
import { indexSchemas } from '../../schema/references.ts';
import { referencesOf } from '../../schema/references.ts';
import type { Role } from './change.ts';

/**
 * Returns the roles that use each schema, by schema name. The roles determine whether a change of the schema is
 * breaking.
 */
export function rolesOfSchemas(contract: Contract): ReadonlyMap<string, ReadonlySet<Role>> {
  const usage = new Usage(contract);
  for (const { parameters, requestBody, responses } of contract.operations) {
    usage.addParameters(parameters, 'request');
    usage.addContent(requestBody?.content ?? [], 'request');
    for (const { headers, content } of responses) {
      usage.addParameters(headers, 'response');
      usage.addContent(content, 'response');
    }
  }
  for (const { payload, headers, headersSchema, label } of contract.notifications) {
    usage.add(payload, 'notification');
    if (headersSchema !== undefined) usage.add(headersSchema, 'notification');
    usage.addParameters([...headers, ...(label?.parameters ?? [])], 'notification');
  }
  for (const { payload, headers, from } of contract.messages) {
    const role = from === 'service' ? 'notification' : 'request';
    for (const name of [payload, headers]) if (name !== undefined) usage.add(name, role);
  }
  return usage.roles;
}

class Usage {
  readonly roles = new Map<string, Set<Role>>();
  readonly #schemas: ReturnType<typeof indexSchemas>;

  constructor(contract: Contract) {
    this.#schemas = indexSchemas(contract);
  }

  /** Records the role for a schema and for all schemas that it refers to, directly or indirectly. */
  add(name: string, role: Role): void {
    const stack = [name];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const known = this.roles.get(next) ?? new Set();
      if (known.has(role)) continue;
      this.roles.set(next, known.add(role));
      stack.push(...(this.#schemas.get(next)?.references ?? []));
    }
  }

  addContent(content: readonly Content[], role: Role): void {
    for (const { schema, itemSchema } of content) {
      for (const name of [schema, itemSchema]) if (name !== undefined) this.add(name, role);
    }
  }

  addParameters(parameters: readonly Parameter[], role: Role): void {
    for (const { schema } of parameters) this.#addReferences(schema, role);
  }

  #addReferences(schema: JsonSchema, role: Role): void {
    for (const name of referencesOf(schema)) this.add(name, role);
  }
}

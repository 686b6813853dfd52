import type { JsonSchema, Schema } from '../../schema/model.ts';
import { indexSchemas, referenceOf, referencesOf, toReference } from '../../schema/references.ts';
import { type Sender, SenderRules, hasDirection } from '../../schema/sender.ts';
import { optional } from '../../json/json.ts';
import { mapSchema } from '../../schema/visit.ts';
import type { StatedOperation } from '../complete.ts';
import type { Message, Parameter, StatedContent } from '../contract.ts';
import { readRepresentations } from '../representations.ts';
import type { DraftNotification } from './notifications.ts';
import type { SchemaNames, SchemaRegistry } from './schema-registry.ts';

/** The parts of a contract that have schemas. */
export interface WithBodies {
  readonly schemas: readonly Schema[];
  readonly operations: readonly StatedOperation[];
  readonly drafts: readonly DraftNotification[];
  readonly messages: readonly Message[];
}

/**
 * Applies `readOnly` and `writeOnly`: a schema does not require the members that its sender does not send. A schema
 * that both senders use keeps its name for the values of the contract's owner. If the values of clients differ, directly
 * or by a reference, they get a second schema, such as `UserRequest` beside `User`.
 * @param owner the party whose contract it is: the service, or the integrator if the perspective is the integrator's
 */
export function applySenders(
  parts: WithBodies,
  owner: 'service' | 'integrator',
  registry: SchemaRegistry,
): WithBodies {
  const { schemas } = parts;
  const index = indexSchemas({ schemas });
  const parameters: JsonSchema[] = [];
  const uses: Record<Sender, Set<string>> = { owner: new Set(), client: new Set() };
  const senderOf = (party: Party): Sender => (party === owner ? 'owner' : 'client');
  mapUses(parts, {
    nameFor: (name, party) => {
      uses[senderOf(party)].add(name);
      return name;
    },
    schemaFor: (schema, party) => {
      parameters.push(schema);
      for (const name of referencesOf(schema)) uses[senderOf(party)].add(name);
      return schema;
    },
  });
  if (![...schemas.map(({ definition }) => definition), ...parameters].some(hasDirection))
    return parts;
  const below = linksOf(schemas);
  for (const names of [uses.owner, uses.client]) addReachable(names, below);
  const rules = {
    owner: new SenderRules('owner', index),
    client: new SenderRules('client', index),
  };
  const relaxed = {
    owner: new Map(schemas.map(({ name, definition }) => [name, rules.owner.relax(definition)])),
    client: new Map(schemas.map(({ name, definition }) => [name, rules.client.relax(definition)])),
  };
  const second = secondNames(schemas, below, uses, relaxed, registry);
  const nameFor = (name: string, sender: Sender): string =>
    (sender === 'client' ? second.get(name)?.name : undefined) ?? name;
  const rename = (schema: JsonSchema, sender: Sender): JsonSchema =>
    second.size === 0 || sender === 'owner'
      ? schema
      : mapSchema(schema, (sub) => {
          const name = referenceOf(sub);
          return name === undefined ? sub : { ...sub, ...toReference(nameFor(name, sender)) };
        });
  const toForm = (schema: Schema, sender: Sender): Schema => {
    const definition = rename(relaxed[sender].get(schema.name) ?? schema.definition, sender);
    return {
      ...schema,
      ...(schema.variantOf === undefined ? {} : { variantOf: nameFor(schema.variantOf, sender) }),
      definition,
      references: referencesOf(definition),
      variants: schema.variants.map((variant) => ({
        ...variant,
        schema: nameFor(variant.schema, sender),
      })),
    };
  };
  return {
    ...mapUses(parts, {
      nameFor: (name, party) => nameFor(name, senderOf(party)),
      schemaFor: (schema, party) => rename(rules[senderOf(party)].relax(schema), senderOf(party)),
    }),
    schemas: schemas.flatMap((schema) => {
      const { name } = schema;
      const names = second.get(name);
      if (names !== undefined) {
        const isDerived = schema.origin === 'variant' || schema.origin === 'wire';
        const request: Schema = {
          ...toForm(schema, 'client'),
          ...names,
          ...(isDerived ? {} : { origin: 'request', variantOf: name }),
          examples: [],
        };
        return [toForm(schema, 'owner'), request];
      }
      if (uses.owner.has(name)) return [toForm(schema, 'owner')];
      return [uses.client.has(name) ? toForm(schema, 'client') : schema];
    }),
  };
}

/** Returns the schemas that each schema refers to or that are derived from it, by name. */
function linksOf(schemas: readonly Schema[]): ReadonlyMap<string, readonly string[]> {
  const derived = Map.groupBy(schemas, ({ variantOf }) => variantOf);
  return new Map(
    schemas.map(({ name, references }) => [
      name,
      [...references, ...(derived.get(name) ?? []).map((schema) => schema.name)],
    ]),
  );
}

function addReachable(names: Set<string>, links: ReadonlyMap<string, readonly string[]>): void {
  // The iteration includes names that are added during it.
  for (const name of names) for (const next of links.get(name) ?? []) names.add(next);
}

/** Claims the names of the schemas that differ between the senders and that both of them use. */
function secondNames(
  schemas: readonly Schema[],
  links: ReadonlyMap<string, readonly string[]>,
  uses: Record<Sender, ReadonlySet<string>>,
  relaxed: Record<Sender, ReadonlyMap<string, JsonSchema>>,
  registry: SchemaRegistry,
): ReadonlyMap<string, SchemaNames> {
  const users = new Map<string, string[]>();
  for (const [name, below] of links) {
    for (const target of below) {
      const targetUsers = users.get(target);
      if (targetUsers === undefined) users.set(target, [name]);
      else targetUsers.push(name);
    }
  }
  const differing = new Set(
    schemas
      .filter(({ name }) => relaxed.owner.get(name) !== relaxed.client.get(name))
      .map(({ name }) => name),
  );
  addReachable(differing, users);
  return new Map(
    schemas
      .filter(({ name }) => [differing, uses.owner, uses.client].every((set) => set.has(name)))
      .map(({ name, typeName, pointer }) => [
        name,
        registry.claimDerived(`${typeName} Request`, pointer),
      ]),
  );
}

type Party = 'service' | 'integrator';

interface UseChanges {
  /** Returns the name of the schema of a body that a party sends. */
  readonly nameFor: (name: string, party: Party) => string;
  /** Returns the schema of a parameter or header that a party sends. */
  readonly schemaFor: (schema: JsonSchema, party: Party) => JsonSchema;
}

/** Changes the schemas of bodies, parameters and headers by the party that sends them. */
function mapUses(
  { schemas, operations, drafts, messages }: WithBodies,
  { nameFor, schemaFor }: UseChanges,
): WithBodies {
  const rename = (name: string | undefined, party: Party): string | undefined =>
    name === undefined ? undefined : nameFor(name, party);
  const parameters = (list: readonly Parameter[], party: Party): readonly Parameter[] =>
    list.map((parameter) => ({ ...parameter, schema: schemaFor(parameter.schema, party) }));
  const contents = (list: readonly StatedContent[], party: Party): readonly StatedContent[] =>
    list.map((content) => ({
      ...content,
      ...optional('schema', rename(content.schema, party)),
      ...optional('itemSchema', rename(content.itemSchema, party)),
    }));
  return {
    schemas,
    operations: operations.map((operation) => ({
      ...operation,
      parameters: parameters(operation.parameters, 'integrator'),
      ...optional(
        'requestBody',
        operation.requestBody && {
          ...operation.requestBody,
          content: contents(operation.requestBody.content, 'integrator'),
        },
      ),
      responses: operation.responses.map((response) => ({
        ...response,
        headers: parameters(response.headers, 'service'),
        content: contents(response.content, 'service'),
      })),
    })),
    drafts: drafts.map((draft) => ({
      ...draft,
      ...optional(
        'label',
        draft.label && {
          ...draft.label,
          parameters: parameters(draft.label.parameters, 'service'),
        },
      ),
      headers: parameters(draft.headers, 'service'),
      ...optional('headersSchema', rename(draft.headersSchema, 'service')),
      representations: ofRead(draft, nameFor),
    })),
    messages: messages.map((message) => ({
      ...message,
      ...optional('payload', rename(message.payload, message.from)),
      ...optional('headers', rename(message.headers, message.from)),
    })),
  };
}

/** Changes the schemas that receivers read. Those of other representations keep the names of the contract's owner. */
function ofRead(
  { representations }: DraftNotification,
  nameFor: UseChanges['nameFor'],
): DraftNotification['representations'] {
  const read = new Set(readRepresentations(representations).map(({ schema }) => schema));
  const rename = (name: string | undefined): string | undefined =>
    name === undefined ? name : nameFor(name, 'service');
  return representations.map((it) => ({
    ...it,
    ...optional('schema', read.has(it.schema) ? rename(it.schema) : it.schema),
    ...optional('union', rename(it.union)),
  }));
}

import type {
  Contract,
  Message,
  Notification,
  Operation,
  Parameter,
} from '../../contract/contract.ts';
import type { JsonSchema, Schema } from '../../schema/model.ts';
import { SchemaNode } from '../../schema/node.ts';
import { subschemasOf } from '../../schema/visit.ts';
import { type Pointer, toPointer } from '../../json/pointer.ts';
import type { Subject } from './subject.ts';

/** Returns all subjects of a contract in the contract's order; an owner precedes its parts. */
export function subjectsOf(contract: Contract): readonly Subject[] {
  const { info, schemas, operations, notifications, messages, security, unstated } = contract;
  return [
    subject('contract', info.title, info, { identifier: '' }),
    ...schemas.flatMap((schema) => [...schemaSubjects(schema)]),
    ...operations.flatMap((operation) => operationSubjects(operation, contract)),
    ...notifications.flatMap((notification) => notificationSubjects(notification, contract)),
    ...messages.map((message) => messageSubject(message, contract)),
    ...security.map((scheme) => {
      const key = scheme.signature?.key.credential;
      return subject('security', scheme.id, scheme, {
        identifier: scheme.name,
        aliases: key === undefined ? [] : [key],
      });
    }),
    ...unstated.map((entry) =>
      subject('question', entry.id, entry, {
        identifier: entry.optionName,
        aliases: [`${entry.optionName}Answer`],
      }),
    ),
  ];
}

interface More {
  readonly identifier?: string;
  readonly aliases?: readonly string[];
  readonly owner?: Subject;
  readonly statedBy?: readonly Pointer[];
}

function subject(
  kind: Subject['kind'],
  name: string,
  node: { readonly pointer: Pointer; readonly source: readonly string[] },
  { identifier = name, aliases = [], owner, statedBy = [] }: More = {},
): Subject {
  const source = node.source.length > 0 ? node.source : (owner?.source ?? []);
  const ownerMember = owner === undefined ? {} : { owner };
  return {
    kind,
    name,
    identifier,
    aliases,
    pointer: node.pointer,
    source,
    statedBy,
    ...ownerMember,
  };
}

function* schemaSubjects(schema: Schema): Generator<Subject> {
  const { name, typeName, definition, enumeration, origin } = schema;
  const owner = subject('schema', name, schema, { identifier: typeName });
  yield owner;
  const node = new SchemaNode(definition);
  const keyword = node.has('enum') ? 'enum' : 'x-extensible-enum';
  const found = new Set<number>();
  for (const member of enumeration?.members ?? []) {
    // A value can have several names, each at its own place.
    const index =
      node.list(keyword)?.findIndex((value, at) => value === member.value && !found.has(at)) ?? -1;
    found.add(index);
    const pointer = index < 0 ? schema.pointer : toPointer(schema.pointer, keyword, index);
    yield subject(
      'value',
      `${typeName}.${member.name}`,
      { pointer, source: [] },
      { identifier: member.name, aliases: [`${typeName}.${member.value}`], owner },
    );
  }
  // Derived schemas repeat the members of the schemas that they are derived from.
  if (origin === 'component' || origin === 'inline')
    yield* memberSubjects(definition, schema.pointer, owner);
}

/** Yields the members of a schema at any depth, in all its subschemas. */
function* memberSubjects(
  definition: JsonSchema,
  pointer: Pointer,
  owner: Subject,
): Generator<Subject> {
  for (const { keyword, path, schema } of subschemasOf(definition, 'value', 'child')) {
    const at = toPointer(pointer, ...path);
    let inner = owner;
    if (keyword === 'properties') {
      const key = String(path[1]);
      const name = `${owner.kind === 'schema' ? owner.identifier : owner.name}.${key}`;
      const { source } = new SchemaNode(schema);
      inner = subject('member', name, { pointer: at, source }, { identifier: key, owner });
      yield inner;
    }
    yield* memberSubjects(schema, at, inner);
  }
}

function operationSubjects(operation: Operation, contract: Contract): readonly Subject[] {
  const { id, name, method, path, parameters, requestBody, responses, security } = operation;
  const contents = [requestBody?.content ?? [], ...responses.map(({ content }) => content)].flat();
  const owner = subject('call', name, operation, {
    aliases: [id, `${method} ${path}`, path],
    statedBy: [
      ...parameters.map(({ pointer }) => pointer),
      ...contents.flatMap(({ schema }) => schemaPointer(contract, schema)),
      ...securityPointers(contract, security),
    ],
  });
  return [owner, ...parameterSubjects(parameters, owner)];
}

function notificationSubjects(notification: Notification, contract: Contract): readonly Subject[] {
  const { id, name, typeName, label, payload, headers, headersSchema, security } = notification;
  const parameters = [...headers, ...(label?.parameters ?? [])];
  const owner = subject('notification', name, notification, {
    identifier: typeName,
    aliases: [
      id,
      ...(label === undefined ? [] : [`${label.method ?? 'POST'} ${label.path}`, label.path]),
    ],
    statedBy: [
      ...parameters.map(({ pointer }) => pointer),
      ...schemaPointer(contract, payload),
      ...schemaPointer(contract, headersSchema),
      ...securityPointers(contract, security),
    ],
  });
  return [owner, ...parameterSubjects(parameters, owner)];
}

function parameterSubjects(parameters: readonly Parameter[], owner: Subject): readonly Subject[] {
  return parameters.map((parameter) =>
    subject('parameter', `${owner.name}.${parameter.name}`, parameter, {
      identifier: parameter.propertyName,
      aliases: [parameter.name],
      owner,
    }),
  );
}

function messageSubject(message: Message, contract: Contract): Subject {
  const { id, operation, address, protocols, payload, headers } = message;
  return subject('message', `${id} (${protocols.join(', ')})`, message, {
    identifier: id,
    aliases: [operation, ...(address === undefined ? [] : [address])],
    statedBy: [...schemaPointer(contract, payload), ...schemaPointer(contract, headers)],
  });
}

function schemaPointer({ schemas }: Contract, name: string | undefined): readonly Pointer[] {
  const schema = schemas.find((candidate) => candidate.name === name);
  return schema === undefined ? [] : [schema.pointer];
}

function securityPointers(
  { security }: Contract,
  requirements: Operation['security'],
): readonly Pointer[] {
  const named = new Set(requirements.flat().map(({ scheme }) => scheme));
  return security.filter(({ id }) => named.has(id)).map(({ pointer }) => pointer);
}

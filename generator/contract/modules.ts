import type { JsonSchema, Schema } from '../schema/model.ts';
import { indexSchemas, referencesOf } from '../schema/references.ts';
import type { Contract, DescribedNode, Operation } from './contract.ts';
import { toFileName, toTypeName } from './names.ts';

/**
 * The numbers of schemas and of calls up to which one module has all of them. A module of a thousand schemas would be
 * megabytes, of which a review shows no part.
 */
const few = { schemas: 200, calls: 100 } as const;

/** The number of schemas or calls from which the module of a tag is divided by the first letters of their names. */
const many = 1000;

/** The module of what operations without a tag have. */
const untagged = 'untagged';

/** The module of schemas that calls and notifications of several tags have. */
const shared = 'shared';

/** The module of schemas that no call and no notification has. */
const unused = 'unused';

type Divided = Pick<Contract, 'schemas' | 'operations' | 'notifications' | 'messages'>;

/**
 * Marks the schemas that nothing has, and names the module of each schema: that of the one tag whose calls and
 * notifications have it, or one for all that several tags have. The schemas of a tag refer only to one another and to
 * shared ones, and nothing refers to unused ones, so that modules form no cycles. Without a name, one module has all
 * schemas.
 */
export function placeSchemas(contract: Divided): readonly Schema[] {
  const tagsOf = findTags(contract);
  const schemas = contract.schemas.map((placed): Schema => {
    const { isUnused: _, module: __, ...schema } = placed;
    return tagsOf.has(schema.name) ? schema : { ...schema, isUnused: true };
  });
  if (schemas.length <= few.schemas) return schemas;
  const names = schemas.map(({ name }) => {
    const [tag = unused, ...others] = tagsOf.get(name) ?? [];
    return others.length > 0 ? shared : tag;
  });
  const divided = divideLarge(
    names,
    schemas.map(({ typeName }) => typeName),
  );
  return schemas.map((schema, index) => ({ ...schema, module: divided[index] ?? shared }));
}

/** Names the module of each call: that of its first tag. Without a name, one module has all calls. */
export function nameCallModules(operations: readonly Operation[]): readonly Operation[] {
  const calls = operations.flatMap(({ names, ...operation }) =>
    names === undefined ? [] : [{ names, tag: moduleOf(operation) }],
  );
  const isDivided = calls.length > few.calls;
  const divided = divideLarge(
    calls.map(({ tag }) => tag),
    calls.map(({ names }) => names.name),
  );
  const modules = new Map(calls.map(({ names }, index) => [names.name, divided[index]]));
  return operations.map((operation) => {
    if (operation.names === undefined) return operation;
    const { module: _, ...names } = operation.names;
    const module = isDivided ? modules.get(names.name) : undefined;
    return { ...operation, names: module === undefined ? names : { ...names, module } };
  });
}

/** Returns the modules of the tags that have each schema, by its name. A schema that nothing has is not among them. */
function findTags(contract: Divided): ReadonlyMap<string, ReadonlySet<string>> {
  const index = indexSchemas(contract);
  const derived = Map.groupBy(contract.schemas, ({ variantOf }) => variantOf);
  const tagsOf = new Map<string, Set<string>>();
  const mark = (tag: string, names: Iterable<string>): void => {
    const stack = [...names];
    for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
      const tags = tagsOf.get(name) ?? new Set();
      tagsOf.set(name, tags);
      if (tags.has(tag)) continue;
      tags.add(tag);
      stack.push(...(index.get(name)?.references ?? []));
      // What is derived of a schema is printed for the same calls.
      stack.push(...(derived.get(name) ?? []).map((schema) => schema.name));
    }
  };
  for (const operation of contract.operations) mark(moduleOf(operation), schemasOf(operation));
  for (const notification of contract.notifications) {
    const { payload, headersSchema, representations, headers, label } = notification;
    const bodies = representations.flatMap(({ schema, itemSchema }) => [schema, itemSchema]);
    const named = [payload, headersSchema, ...bodies].filter((name) => name !== undefined);
    const parameters = [...headers, ...(label?.parameters ?? [])];
    mark(moduleOf(notification), [...named, ...inSchemas(parameters.map(({ schema }) => schema))]);
  }
  for (const message of contract.messages) {
    const named = [message.payload, message.headers].filter((name) => name !== undefined);
    mark(moduleOf(message), named);
  }
  return tagsOf;
}

function schemasOf({ parameters, requestBody, responses }: Operation): readonly string[] {
  const contents = [requestBody, ...responses].flatMap((body) => body?.content ?? []);
  const headers = responses.flatMap((response) => response.headers);
  return [
    ...contents.flatMap(({ schema, itemSchema }) =>
      [schema, itemSchema].filter((name) => name !== undefined),
    ),
    ...inSchemas([...parameters, ...headers].map(({ schema }) => schema)),
  ];
}

function inSchemas(definitions: readonly JsonSchema[]): readonly string[] {
  return definitions.flatMap((definition) => referencesOf(definition));
}

function moduleOf({ tags: [tag = ''] }: Pick<DescribedNode, 'tags'>): string {
  return tag.trim() === '' ? untagged : toFileName(toTypeName(tag));
}

/** Divides the modules of many members by the first letters of their names, which no other member changes. */
function divideLarge(modules: readonly string[], members: readonly string[]): readonly string[] {
  const sizes = new Map<string, number>();
  for (const module of modules) sizes.set(module, (sizes.get(module) ?? 0) + 1);
  return modules.map((module, index) => {
    if ((sizes.get(module) ?? 0) <= many) return module;
    const letter = /[a-z]/iu.exec(members[index] ?? '')?.[0] ?? 'other';
    return `${module}-${letter.toLowerCase()}`;
  });
}

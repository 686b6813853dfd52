import type { Contract, Content, Operation } from '../../contract/contract.ts';
import { type Call } from '../../contract/calls.ts';
import { groupOf, inputParameters, isRequiredInput } from '../../contract/inputs.ts';
import { requestContent } from '../../contract/media-types.ts';
import { toEnvironmentName } from '../../contract/names.ts';
import { failuresOf } from '../../contract/outcomes.ts';
import { neededSchemes } from '../../contract/used-schemes.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { conjunctsOf, memberSchemas } from '../../schema/conjuncts.ts';
import type { JsonSchema } from '../../schema/model.ts';
import type { SchemaNode } from '../../schema/node.ts';
import { indexSchemas, type SchemaIndex, toReference } from '../../schema/references.ts';
import { code, type Code } from '../code.ts';
import { literal, object, objectUnlessEmpty } from '../escape.ts';

/** A call of a client for pages. */
export interface CallExample {
  readonly call: Call;
  /** The expression of its required input; `undefined` where it needs none. */
  readonly input: Code | undefined;
  /** The environment variables whose values the contract has no examples of. */
  readonly variables: readonly string[];
}

/**
 * Returns the call that shows how a client is used: rather one with credentials, a body, declared failures and examples than another,
 * and none that issues an access token, because clients call it themselves. Its input has what the contract requires,
 * with the values of its examples, and environment variables where it has none. `undefined` where no call can be shown.
 */
export function exampleCall(contract: Contract, calls: readonly Call[]): CallExample | undefined {
  const index = indexSchemas(contract);
  const issuing = new Set(contract.security.map(({ accessToken }) => accessToken?.operation));
  const candidates = calls
    .filter(({ operation }) => !issuing.has(operation.id))
    .map((call) => ({ call, rank: rankOf(contract, call.operation) }))
    .toSorted((a, b) => b.rank - a.rank);
  let fallback: CallExample | undefined;
  for (const { call } of candidates) {
    const variables = new Set<string>();
    const printer = new InputPrinter(contract, index, variables);
    const input = printer.inputOf(call.operation);
    if (input === impossible || (input?.text.length ?? 0) > maxLength) continue;
    const shown = { call, input, variables: [...variables] };
    if (variables.size === 0) return shown;
    fallback ??= shown;
  }
  return fallback;
}

/** The most characters of an input that is read at a glance. */
const maxLength = 600;

/** The levels of an input that an example can have. */
const maxDepth = 5;

const impossible = Symbol('impossible');

/** An expression; `impossible` where neither an example nor an environment variable gives one. */
type Value = Code | typeof impossible;

function rankOf(contract: Contract, operation: Operation): number {
  const { deprecated, method } = operation;
  return (
    (deprecated ? 0 : 16) +
    (neededSchemes(contract, operation).length > 0 ? 8 : 0) +
    (method === 'POST' && requestContent(operation).some(isWritten) ? 4 : 0) +
    (failuresOf(operation).length > 0 ? 2 : 0) +
    (requestContent(operation).some(({ examples }) => examples.length > 0) ? 1 : 0)
  );
}

/** Returns whether a body is written as an object literal. */
function isWritten({ kind, schema }: Content): boolean {
  return (kind === 'json' || kind === 'form') && schema !== undefined;
}

class InputPrinter {
  readonly #contract: Contract;
  readonly #index: SchemaIndex;
  readonly #variables: Set<string>;
  readonly #formats: ReadonlySet<string>;

  constructor(contract: Contract, index: SchemaIndex, variables: Set<string>) {
    this.#contract = contract;
    this.#index = index;
    this.#variables = variables;
    this.#formats = new Set(contract.formats?.map(({ format }) => format));
  }

  /** Returns the required input of an operation. */
  inputOf(operation: Operation): Value | undefined {
    const parameters = inputParameters(this.#contract, operation).filter(isRequiredInput);
    const groups = Object.values(groupOf).map((group) => {
      const members = parameters
        .filter(({ in: place }) => groupOf[place] === group)
        .map(
          ({ name, schema, examples }) => [name, this.#value([schema], examples[0], name)] as const,
        );
      return [group, printMembers(members)] as const;
    });
    return printMembers([...groups, ...this.#body(operation)]);
  }

  /** Returns the members of the input that state the body. */
  #body(operation: Operation): readonly (readonly [string, Value | undefined])[] {
    const content = requestContent(operation);
    const media = content.find(isWritten);
    const body =
      media?.schema === undefined
        ? impossible
        : this.#value([toReference(media.schema)], media.examples[0]?.value, 'body');
    if (body === impossible)
      return operation.requestBody?.required === true ? [['body', body]] : [];
    const mediaType =
      media === undefined || media === content[0] ? undefined : literal(media.mediaType);
    return [
      ['mediaType', mediaType],
      ['body', body],
    ];
  }

  #value(schemas: readonly JsonSchema[], stated: Json | undefined, name: string, depth = 0): Value {
    const nodes = conjunctsOf(schemas, this.#index);
    if (depth > maxDepth || nodes.some(({ isNever, union }) => isNever || union !== undefined))
      return impossible;
    if (nodes.some((node) => this.#formats.has(node.text('format') ?? ''))) return impossible;
    const example = stated ?? exampleIn(nodes);
    const type = typeOf(nodes, example);
    if (type === 'object') return this.#object(nodes, example, depth);
    if (type === 'array') return this.#array(nodes, example, name, depth);
    if (example !== undefined && !isJsonObject(example) && !Array.isArray(example))
      return literal(example);
    if (type === 'boolean') return code`true`;
    if (type === 'null') return code`null`;
    const variable = toEnvironmentName(this.#contract.info.title, name);
    this.#variables.add(variable);
    const text = code`process.env[${literal(variable)}] ?? ''`;
    return type === 'string' ? text : code`Number(${text})`;
  }

  #object(nodes: readonly SchemaNode[], stated: Json | undefined, depth: number): Value {
    const example = isJsonObject(stated) ? stated : {};
    const declared = memberSchemas(nodes);
    const required = new Set(nodes.flatMap((node) => node.required));
    // Where nothing is required, an object without members shows nothing.
    const shown =
      required.size > 0
        ? [...required]
        : Object.keys(example)
            .filter((name) => declared.has(name))
            .slice(0, 3);
    const members = shown
      .filter((name) => !conjunctsOf(declared.get(name) ?? [], this.#index).some(isReadOnly))
      .map((name) => {
        const value = Object.hasOwn(example, name) ? example[name] : undefined;
        const schemas = declared.get(name);
        return [
          name,
          schemas === undefined ? impossible : this.#value(schemas, value, name, depth + 1),
        ] as const;
      });
    return printMembers(members) ?? object({});
  }

  #array(
    nodes: readonly SchemaNode[],
    stated: Json | undefined,
    name: string,
    depth: number,
  ): Value {
    if (nodes.some(({ prefixItems }) => prefixItems.length > 0)) return impossible;
    const items = nodes
      .map((node) => node.schema('items'))
      .filter((schema) => schema !== undefined);
    const [first] = Array.isArray(stated) ? (stated as readonly Json[]) : [];
    const item = this.#value(items, first, name, depth + 1);
    return item === impossible ? impossible : code`[${item}]`;
  }
}

function printMembers(
  members: readonly (readonly [string, Value | undefined])[],
): Value | undefined {
  const printed: (readonly [string, Code])[] = [];
  for (const [name, value] of members) {
    if (value === impossible) return impossible;
    if (value !== undefined) printed.push([name, value]);
  }
  return objectUnlessEmpty(printed);
}

function exampleIn(nodes: readonly SchemaNode[]): Json | undefined {
  for (const { values, keywords } of nodes) {
    const stated = values?.[0] ?? keywords['example'] ?? keywords['default'];
    if (stated !== undefined) return stated;
  }
  return nodes.flatMap((node) => node.list('examples') ?? [])[0];
}

/** Returns the type of the value to print: that of an example, or else the first that the schemas name. */
function typeOf(nodes: readonly SchemaNode[], example: Json | undefined): string {
  const types = nodes.flatMap((node) => node.types ?? []);
  if (example === null) return 'null';
  const given =
    example === undefined ? undefined : Array.isArray(example) ? 'array' : typeof example;
  if (given === 'object' || nodes.some(({ properties }) => properties.length > 0)) return 'object';
  return given ?? types.find((type) => type !== 'null') ?? types[0] ?? 'string';
}

function isReadOnly({ keywords }: SchemaNode): boolean {
  return keywords['readOnly'] === true;
}

import type { JsonSchema } from 'countersign';
import { SchemaNode } from 'countersign/companion/contract';
import { memberSchemas } from 'countersign/companion/validators';
import { isJsonObject, isSameJson } from 'countersign/companion/values';
import { hasType, type Json, type JsonType, type SchemaIndex, typeOf } from 'countersign/kit';

/** The schemas that one value has to satisfy together, with an alternative chosen in each union. */
export interface Conjunction {
  /** The schemas without their references, `allOf` and unions, which are separate nodes. */
  readonly nodes: readonly SchemaNode[];
  /** The types that all of them accept; `undefined` for any. */
  readonly types: readonly JsonType[] | undefined;
  /** The only values that they accept; `undefined` for any. */
  readonly values: readonly Json[] | undefined;
  /** Schemas that the value must not satisfy. */
  readonly negated: readonly SchemaNode[];
  /** Names of optional members that would make another alternative of a `oneOf` valid, too. */
  readonly avoided: ReadonlySet<string>;
}

/** Puts the alternatives of a union in the order in which they are tried. */
export type Order = <T extends Alternative>(alternatives: readonly T[]) => readonly T[];

/** Schemas that apply together, and one that must not be satisfied. */
export interface Alternative {
  readonly schemas: readonly JsonSchema[];
  readonly negated?: JsonSchema;
  /** Returns the names of `avoided` for the alternative. */
  readonly avoided?: () => readonly string[];
}

/** The most schemas that are combined for one value. */
const maxSteps = 3000;

/**
 * Combines schemas for one value. Tries the alternatives of unions in the given order until the types and listed values
 * of all schemas agree. Returns `undefined` if they never do, or if there are too many combinations.
 */
export function conjoin(
  schemas: readonly JsonSchema[],
  index: SchemaIndex,
  order: Order,
): Conjunction | undefined {
  return new Conjoiner(index, order).combine({
    open: schemas,
    nodes: [],
    names: new Set(),
    types: undefined,
    values: undefined,
    negated: [],
    avoided: new Set(),
    unions: [],
  });
}

interface State extends Conjunction {
  readonly open: readonly JsonSchema[];
  /** The schemas that were added by name. */
  readonly names: ReadonlySet<string>;
  readonly unions: readonly (readonly Alternative[])[];
}

class Conjoiner {
  readonly #index: SchemaIndex;
  readonly #order: Order;
  #steps = 0;

  constructor(index: SchemaIndex, order: Order) {
    this.#index = index;
    this.#order = order;
  }

  combine(state: State): Conjunction | undefined {
    const added = this.#add(state);
    if (added === undefined || isContradictory(added, this.#index)) return undefined;
    const [union, ...unions] = added.unions;
    if (union === undefined) return added;
    for (const { schemas, negated, avoided } of this.#order(union)) {
      const combined = this.combine({
        ...added,
        unions,
        open: schemas,
        negated:
          negated === undefined ? added.negated : [...added.negated, new SchemaNode(negated)],
        avoided: new Set([...added.avoided, ...(avoided?.() ?? [])]),
      });
      if (combined !== undefined || this.#steps > maxSteps) return combined;
    }
    return undefined;
  }

  /** Adds the open schemas and those that they always apply. */
  #add(state: State): State | undefined {
    const open = state.open.toReversed();
    const nodes = [...state.nodes];
    const names = new Set(state.names);
    const negated = [...state.negated];
    const unions = [...state.unions];
    let { types, values } = state;
    for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
      this.#steps += 1;
      if (this.#steps > maxSteps) return undefined;
      const node = new SchemaNode(schema);
      if (node.isNever) return undefined;
      if (node.isAnything) continue;
      nodes.push(node);
      types = commonTypes(types, node.types);
      values = commonValues(values, node.values);
      const { reference } = node;
      const target = node.target(this.#index);
      if (reference !== undefined && target !== undefined && !names.has(reference)) {
        names.add(reference);
        open.push(target);
      }
      open.push(...node.allOf.toReversed());
      const not = node.schema('not');
      if (not !== undefined) negated.push(new SchemaNode(not));
      unions.push(...this.#unionsOf(node));
    }
    values = values?.filter((value) => types?.some((type) => hasType(value, type)) ?? true);
    return { ...state, open: [], nodes, names, negated, unions, types, values };
  }

  #unionsOf(node: SchemaNode): readonly (readonly Alternative[])[] {
    const { anyOf, oneOf } = node;
    const unions: (readonly Alternative[])[] = [];
    if (anyOf.length > 0) unions.push(anyOf.map((schema) => ({ schemas: [schema] })));
    if (oneOf.length > 0) {
      const members = oneOf.map((schema) => this.#namesOf(schema));
      unions.push(
        oneOf.map((schema, position) => {
          const declaredNames = members[position]?.declared;
          // Only the alternatives that are tried need them.
          const avoided = (): readonly string[] =>
            members
              .flatMap(({ required }, otherPosition) =>
                otherPosition === position ? [] : required,
              )
              .filter((name) => declaredNames?.has(name) !== true);
          return { schemas: [schema], avoided };
        }),
      );
    }
    const condition = node.schema('if');
    if (condition !== undefined) {
      unions.push([
        { schemas: [condition, node.schema('then') ?? true] },
        { schemas: [node.schema('else') ?? true], negated: condition },
      ]);
    }
    return unions;
  }

  /** Returns the members that an alternative requires, and all that it declares or requires. */
  #namesOf(schema: JsonSchema): {
    readonly required: readonly string[];
    readonly declared: ReadonlySet<string>;
  } {
    const all = withTarget(schema, this.#index);
    const required = all.flatMap((part) => part.required);
    const declared = all.flatMap((part) => part.properties.map(([name]) => name));
    return { required, declared: new Set([...required, ...declared]) };
  }
}

/** Returns whether no value has the types and listed values, or none of a required member does. */
function isContradictory({ nodes, types, values }: Conjunction, index: SchemaIndex): boolean {
  if (types?.length === 0 || values?.length === 0) return true;
  if (types !== undefined && !types.includes('object')) return false;
  const required = new Set(nodes.flatMap((node) => node.required));
  const members = memberSchemas(nodes);
  for (const name of required) {
    const declared = (members.get(name) ?? []).flatMap((schema) => withTarget(schema, index));
    if (declared.length < 2) continue;
    let [memberTypes, memberValues]: [Conjunction['types'], Conjunction['values']] = [
      undefined,
      undefined,
    ];
    for (const node of declared) {
      memberTypes = commonTypes(memberTypes, node.types);
      memberValues = commonValues(memberValues, node.values);
    }
    if (memberTypes?.length === 0 || memberValues?.length === 0) return types?.length === 1;
  }
  return false;
}

function withTarget(schema: JsonSchema, index: SchemaIndex): readonly SchemaNode[] {
  const node = new SchemaNode(schema);
  const target = node.target(index);
  return target === undefined ? [node] : [node, new SchemaNode(target)];
}

function commonTypes(
  left: readonly JsonType[] | undefined,
  right: readonly JsonType[] | undefined,
): readonly JsonType[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const common = left.flatMap((type): readonly JsonType[] => {
    if (right.includes(type)) return [type];
    if (type === 'integer' && right.includes('number')) return [type];
    return type === 'number' && right.includes('integer') ? ['integer'] : [];
  });
  return [...new Set(common)];
}

function commonValues(
  left: readonly Json[] | undefined,
  right: readonly Json[] | undefined,
): readonly Json[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const scalars = new Set(right.filter((value) => typeof value !== 'object'));
  const objects = right.filter((value) => typeof value === 'object');
  return left.filter(
    (value) => scalars.has(value as string) || objects.some((object) => isSameJson(value, object)),
  );
}

/** Returns the type that a schema without `type` is probably meant for. */
export function impliedType(nodes: readonly SchemaNode[]): JsonType | undefined {
  for (const [type, keywords] of implied)
    if (nodes.some((node) => node.has(...keywords))) return type;
  return undefined;
}

const implied: readonly (readonly [JsonType, readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
      'maxProperties',
      'dependentRequired',
      'dependentSchemas',
      'unevaluatedProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Returns whether a negated schema refuses a value because of its type or because it lists the value. */
export function isRefused(value: Json, negated: readonly SchemaNode[]): boolean {
  return negated.some((node) => {
    const keys = Object.keys(node.keywords).filter((key) => assertions.has(key));
    if (keys.length !== 1) return node.isAnything;
    if (node.values !== undefined)
      return node.values.some((listedValue) => isSameJson(listedValue, value));
    return node.types?.some((type) => hasType(value, type)) ?? false;
  });
}

const assertions = new Set(['const', 'enum', 'type', 'properties', 'required', 'pattern']);

/** Returns the names of members whose presence alone satisfies a negated schema. */
export function refusedMembers(
  negated: readonly SchemaNode[],
  required: ReadonlySet<string>,
): readonly string[] {
  return negated.flatMap((node): readonly string[] => {
    const parts = [...node.anyOf, ...node.oneOf].map((part) => new SchemaNode(part));
    const optional = node.required.filter((name) => !required.has(name));
    return [...optional.slice(0, 1), ...refusedMembers(parts, required)];
  });
}

/** Returns the values that the contract gives as examples for one of the schemas, and those that it lists as known. */
export function hintsOf({ nodes, types, negated }: Conjunction): readonly Json[] {
  const hints = nodes.flatMap((node) => {
    const { default: usual } = node.keywords;
    return [
      ...(node.list('examples') ?? []),
      ...(usual === undefined ? [] : [usual]),
      ...(node.list('x-extensible-enum') ?? []),
    ];
  });
  return hints.filter(
    (hint) =>
      (types?.some((type) => hasType(hint, type)) ?? true) &&
      !isRefused(hint, negated) &&
      (typeOf(hint) !== 'object' || isJsonObject(hint)),
  );
}

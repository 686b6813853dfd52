import { formats as checkedFormats, isSchema, SchemaNode } from 'countersign/companion/contract';
import { isJsonObject, toCanonical } from 'countersign/companion/values';
import type { JsonSchema } from 'countersign';
import type { Json, JsonObject, JsonType, SchemaIndex } from 'countersign/kit';
import { choicesOf, type Choice, type Conjunct } from './choices.ts';
import { below, type Part, type Place, within } from './place.ts';

/** The types that keywords are divided by. An integer is a number without a fraction. */
export const kinds = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;

export type Kind = (typeof kinds)[number];

/** A keyword's value, and its place. */
export interface Placed<T = Json> {
  readonly value: T;
  readonly keyword: string;
  readonly at: Place;
}

/** A member of an object, or a range of elements: every schema that applies to it. */
export interface Member {
  readonly parts: readonly Part[];
  /** Where it is declared; left out if it is only required. */
  readonly at?: Place;
  /** Where it is required; left out if it is optional. */
  readonly required?: Place;
}

/** Values of one kind that satisfy one choice, in a form that does not depend on how it is written. */
export interface Shape {
  readonly kind: Kind;
  readonly choice: Choice;
  /** The only valid values, by their canonical text; left out if others are valid. */
  readonly values?: ReadonlyMap<string, Json>;
  readonly valuesAt: Place;
  /** Values that authors list without excluding others (`x-extensible-enum`). */
  readonly known?: ReadonlyMap<string, Json>;
  readonly knownAt?: Place;
  /** The tightest limit for each keyword. */
  readonly limits: ReadonlyMap<string, Placed<number>>;
  /** Whether only integers are valid numbers. */
  readonly isInteger: boolean;
  /** Every other rule, by its canonical text. */
  readonly rules: ReadonlyMap<string, Placed>;
  readonly members: ReadonlyMap<string, Member>;
  /** The schemas of members without a declaration, or of items; empty if they can be anything. */
  readonly rest: readonly Part[];
  readonly restAt: Place;
  readonly prefix: readonly Member[];
}

/** Limits that accept less the larger they are. */
const lower = 'minimum exclusiveMinimum minLength minItems minProperties minContains'.split(' ');

const limitsOf: Readonly<Record<Kind, readonly string[]>> = {
  null: [],
  boolean: [],
  number: ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'],
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems', 'minContains', 'maxContains'],
  object: ['minProperties', 'maxProperties'],
};

/** Keywords that are compared as they are written. */
const rulesOf: Readonly<Record<Kind, readonly string[]>> = {
  null: [],
  boolean: [],
  number: ['multipleOf', 'format'],
  string: ['pattern', 'format', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  array: ['uniqueItems', 'contains', 'unevaluatedItems'],
  object: ['propertyNames', 'patternProperties', 'dependentRequired', 'dependentSchemas'],
};
const rulesOfAll = ['not', 'if', 'then', 'else'];

/**
 * Returns the shapes of the values that satisfy all parts, or `undefined` if there are too many alternatives. Keywords
 * that do not concern a kind are left out, so `type: [string, 'null']` and a union of both have equal shapes.
 */
export function shapesOf(parts: readonly Part[], index: SchemaIndex): readonly Shape[] | undefined {
  const choices = choicesOf(parts, index);
  if (choices === undefined) return undefined;
  const fallback = parts[0]?.at;
  if (fallback === undefined) return [];
  const shapes = choices.flatMap((choice) =>
    kinds.flatMap((kind) => shapeOf(kind, choice, fallback) ?? []),
  );
  return kinds.flatMap((kind) => joinValues(shapes.filter((shape) => shape.kind === kind)));
}

function shapeOf(kind: Kind, choice: Choice, fallback: Place): Shape | undefined {
  const { conjuncts } = choice;
  const typed = conjuncts.filter(({ node }) => node.types !== undefined);
  if (typed.some(({ node }) => !node.types?.some((type) => kindOf(type) === kind)))
    return undefined;
  const listed = conjuncts.filter(({ node }) => node.values !== undefined);
  const lists = listed.map(
    ({ node }) => new Map((node.values ?? []).map((value) => [toCanonical(value), value])),
  );
  const isInteger =
    kind === 'number' &&
    (typed.some(({ node }) => !node.types?.includes('number') && node.types?.includes('integer')) ||
      conjuncts.some(({ node }) => bitsOf(node) !== undefined));
  const [first, ...others] = lists;
  const values =
    first &&
    new Map(
      [...first].filter(
        ([key, value]) =>
          kindOfValue(value) === kind &&
          (!isInteger || Number.isInteger(value)) &&
          others.every((other) => other.has(key)),
      ),
    );
  if (values?.size === 0) return undefined;
  const domain = values ?? domains[kind];
  const [holder] = listed.length > 0 ? listed : typed;
  const valuesAt =
    holder === undefined
      ? fallback
      : within(holder.at, listed.length === 0 ? 'type' : valuesKeyword(holder));
  const open = conjuncts.find(({ node }) => node.list('x-extensible-enum') !== undefined);
  const opened = open?.node
    .list('x-extensible-enum')
    ?.filter((value) => kindOfValue(value) === kind);
  const shape: Shape = {
    kind,
    choice,
    ...(domain === undefined ? {} : { values: domain }),
    valuesAt,
    ...(open === undefined || opened === undefined || opened.length === 0
      ? {}
      : {
          known: new Map(opened.map((value) => [toCanonical(value), value])),
          knownAt: within(open.at, 'x-extensible-enum'),
        }),
    limits: readLimits(kind, conjuncts, isInteger),
    isInteger,
    rules: readRules(kind, conjuncts),
    ...(kind === 'object'
      ? readMembers(conjuncts, fallback)
      : readItems(kind, conjuncts, fallback)),
  };
  return isImpossible(shape) ? undefined : shape;
}

const domains: Readonly<Partial<Record<Kind, ReadonlyMap<string, Json>>>> = {
  null: new Map([['null', null]]),
  boolean: new Map([
    ['true', true],
    ['false', false],
  ]),
};

function valuesKeyword({ node }: Conjunct): string {
  return Object.hasOwn(node.keywords, 'const') ? 'const' : 'enum';
}

function kindOf(type: JsonType): Kind {
  return type === 'integer' ? 'number' : type;
}

function kindOfValue(value: Json): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'boolean' | 'number' | 'string' | 'object';
}

/** Joins shapes that only list values: a union of constants is an enumeration. */
function joinValues(shapes: readonly Shape[]): readonly Shape[] {
  const isPlain = ({ values, rules, limits, kind }: Shape): boolean =>
    values !== undefined && rules.size === 0 && limits.size === 0 && kind !== 'object';
  const plain = shapes.filter(isPlain);
  const [first] = plain;
  if (first === undefined || plain.length < 2) return shapes;
  const places = new Set(plain.map(({ valuesAt }) => valuesAt.pointer));
  const joined: Shape = {
    ...first,
    // Values of several schemas are those of the union that has them.
    valuesAt: places.size > 1 ? (first.choice.conjuncts[0]?.at ?? first.valuesAt) : first.valuesAt,
    values: new Map(plain.flatMap(({ values }) => [...(values ?? [])])),
    choice: {
      ...first.choice,
      conjuncts: [...new Set(plain.flatMap(({ choice }) => choice.conjuncts))],
    },
  };
  return [joined, ...shapes.filter((shape) => !isPlain(shape))];
}

function isImpossible({ members, rest, limits, prefix }: Shape): boolean {
  const isNever = (parts: readonly Part[]): boolean => parts.some(({ schema }) => schema === false);
  const min = limits.get('minItems')?.value ?? 0;
  const closedAt = isNever(rest) ? prefix.length : Infinity;
  return (
    [...members.values()].some(({ parts, required }) => required !== undefined && isNever(parts)) ||
    [...members.values()].some(
      ({ at, required }) => required !== undefined && at === undefined && isNever(rest),
    ) ||
    min > (limits.get('maxItems')?.value ?? Infinity) ||
    min > closedAt ||
    (limits.get('minLength')?.value ?? 0) > (limits.get('maxLength')?.value ?? Infinity)
  );
}

function readLimits(
  kind: Kind,
  conjuncts: readonly Conjunct[],
  isInteger: boolean,
): ReadonlyMap<string, Placed<number>> {
  const limits = new Map<string, Placed<number>>();
  for (const { node, at } of conjuncts) {
    for (const keyword of limitsOf[kind]) {
      const stated = node.number(keyword);
      if (stated === undefined || isIdle(keyword, stated, node)) continue;
      const [limited, value] = isInteger ? toWhole(keyword, stated) : ([keyword, stated] as const);
      const before = limits.get(limited)?.value;
      const isTighter =
        before === undefined || (isLower(limited) ? value > before : value < before);
      if (isTighter) limits.set(limited, { value, keyword, at: within(at, keyword) });
    }
  }
  if (kind === 'number') {
    for (const { node, at } of conjuncts) {
      const bits = bitsOf(node);
      if (bits !== undefined && bits < (limits.get('format')?.value ?? Infinity))
        limits.set('format', { value: bits, keyword: 'format', at: within(at, 'format') });
    }
  }
  dropWeaker(limits, 'minimum', 'exclusiveMinimum', (closed, open) => open >= closed);
  dropWeaker(limits, 'maximum', 'exclusiveMaximum', (closed, open) => open <= closed);
  return limits;
}

/** Returns the number of bits that the format of an integer limits it to. */
function bitsOf(node: SchemaNode): number | undefined {
  const format = checkedFormats.get(node.text('format') ?? '');
  return format?.type === 'number' ? format.bits : undefined;
}

/** Returns the limit of integers that a limit means: `exclusiveMinimum: 0` is `minimum: 1`. */
function toWhole(keyword: string, limit: number): readonly [keyword: string, limit: number] {
  if (keyword === 'minimum') return [keyword, Math.ceil(limit)];
  if (keyword === 'maximum') return [keyword, Math.floor(limit)];
  if (keyword === 'exclusiveMinimum') return ['minimum', Math.floor(limit) + 1];
  return keyword === 'exclusiveMaximum' ? ['maximum', Math.ceil(limit) - 1] : [keyword, limit];
}

/** Returns whether a limit excludes nothing. */
function isIdle(keyword: string, value: number, node: SchemaNode): boolean {
  if (keyword === 'minContains' && value === 1) return true;
  if (keyword === 'minContains' || keyword === 'maxContains') return !node.has('contains');
  return value === 0 && keyword.startsWith('min') && keyword !== 'minimum';
}

/** Keeps the stronger of two limits that exclude values on the same side. */
function dropWeaker(
  limits: Map<string, Placed<number>>,
  closed: string,
  open: string,
  isOpenStronger: (closed: number, open: number) => boolean,
): void {
  const [first, second] = [limits.get(closed), limits.get(open)];
  if (first === undefined || second === undefined) return;
  limits.delete(isOpenStronger(first.value, second.value) ? closed : open);
}

export function isLower(keyword: string): boolean {
  return lower.includes(keyword);
}

function readRules(kind: Kind, conjuncts: readonly Conjunct[]): ReadonlyMap<string, Placed> {
  const rules = new Map<string, Placed>();
  for (const { node, at } of conjuncts) {
    for (const keyword of [...rulesOf[kind], ...rulesOfAll]) {
      const value = node.keywords[keyword];
      if (value === undefined || (keyword === 'uniqueItems' && value !== true)) continue;
      if (keyword === 'format' && !isCheckedText(value, kind)) continue;
      rules.set(toCanonical([keyword, assertionsOf(value)]), {
        value,
        keyword,
        at: within(at, keyword),
      });
    }
  }
  return rules;
}

/** Returns whether validators check texts for a format. Others only describe the value. */
function isCheckedText(format: Json, kind: Kind): boolean {
  return (
    kind === 'string' && typeof format === 'string' && checkedFormats.get(format)?.type === 'string'
  );
}

/** Removes annotations from a value with schemas, so that texts do not make two rules differ. */
function assertionsOf(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(assertionsOf);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword]) => keyword !== 'description' && keyword !== 'title')
      .map(([keyword, inner]) => [keyword, assertionsOf(inner ?? null)]),
  );
}

type Contents = Pick<Shape, 'members' | 'rest' | 'restAt' | 'prefix'>;

/** A keyword for the members that a schema does not declare. */
interface Closing {
  readonly of: Conjunct;
  readonly keyword: 'additionalProperties' | 'unevaluatedProperties';
  readonly schema: JsonSchema;
  readonly declared: ReadonlySet<string>;
}

function readMembers(conjuncts: readonly Conjunct[], fallback: Place): Contents {
  const declared = new Map<string, { at: Place; parts: Part[] }>();
  const required = new Map<string, Place>();
  for (const { node, at } of conjuncts) {
    for (const [name, schema] of node.properties) {
      const part = { schema, at: below(at, name, 'properties', name) };
      const member = declared.get(name);
      if (member === undefined) declared.set(name, { at: part.at, parts: [part] });
      else member.parts.push(part);
    }
    for (const name of node.required)
      if (!required.has(name)) required.set(name, within(at, 'required'));
  }
  const closings = conjuncts.flatMap((conjunct) => closingsOf(conjunct, conjuncts));
  const partOf = ({ of, keyword, schema }: Closing): Part => ({
    schema,
    at: below(of.at, '*', keyword),
  });
  for (const [name, { parts }] of declared)
    for (const closing of closings) if (!closing.declared.has(name)) parts.push(partOf(closing));
  const members = new Map<string, Member>();
  for (const [name, { at, parts }] of declared) {
    const place = required.get(name);
    members.set(name, { parts, at, ...(place === undefined ? {} : { required: place }) });
  }
  for (const [name, place] of required)
    if (!declared.has(name)) members.set(name, { parts: [], required: place });
  const [first] = closings;
  return {
    members,
    rest: closings.map(partOf),
    restAt:
      first === undefined ? (conjuncts[0]?.at ?? fallback) : within(first.of.at, first.keyword),
    prefix: [],
  };
}

function closingsOf(of: Conjunct, conjuncts: readonly Conjunct[]): readonly Closing[] {
  const { node } = of;
  // Names that a pattern matches are compared as they are written.
  if (node.patternProperties.length > 0) return [];
  const additional = node.schema('additionalProperties');
  const own = node.properties.map(([name]) => name);
  const closings: Closing[] = [];
  if (additional !== undefined && !isAnything(additional))
    closings.push({
      of,
      keyword: 'additionalProperties',
      schema: additional,
      declared: new Set(own),
    });
  const unevaluated = node.schema('unevaluatedProperties');
  if (unevaluated === undefined || isAnything(unevaluated) || additional !== undefined)
    return closings;
  const inner = conjuncts.filter((conjunct) => isWithin(conjunct, of));
  const evaluates = (conjunct: Conjunct): boolean =>
    conjunct.node.schema('additionalProperties') !== undefined ||
    (conjunct !== of && conjunct.node.schema('unevaluatedProperties') !== undefined);
  if (inner.some(evaluates)) return closings;
  closings.push({
    of,
    keyword: 'unevaluatedProperties',
    schema: unevaluated,
    declared: new Set(inner.flatMap((conjunct) => conjunct.node.properties.map(([name]) => name))),
  });
  return closings;
}

function isWithin(conjunct: Conjunct, outer: Conjunct): boolean {
  for (let next: Conjunct | undefined = conjunct; next !== undefined; next = next.outer)
    if (next === outer) return true;
  return false;
}

/** Returns whether a schema accepts every value. */
function isAnything(schema: JsonSchema): boolean {
  return schema === true || (schema !== false && Object.keys(schema).length === 0);
}

function readItems(kind: Kind, conjuncts: readonly Conjunct[], fallback: Place): Contents {
  if (kind !== 'array') return { members: new Map(), rest: [], restAt: fallback, prefix: [] };
  const length = Math.max(0, ...conjuncts.map(({ node }) => node.prefixItems.length));
  const rest: Part[] = [];
  let restAt = conjuncts[0]?.at ?? fallback;
  const prefix = Array.from({ length }, (): { at?: Place; parts: Part[] } => ({ parts: [] }));
  for (const { node, at } of conjuncts) {
    const own = node.list('prefixItems') ?? [];
    const items = node.schema('items');
    if (items !== undefined && !isAnything(items)) {
      if (rest.length === 0) restAt = within(at, 'items');
      rest.push({ schema: items, at: below(at, '*', 'items') });
    }
    for (const [position, member] of prefix.entries()) {
      const schema = own[position];
      const place = below(at, String(position), 'prefixItems', position);
      if (isSchema(schema)) {
        member.parts.push({ schema, at: place });
        member.at ??= place;
      } else if (items !== undefined) {
        member.parts.push({ schema: items, at: below(at, '*', 'items') });
      }
    }
  }
  return { members: new Map(), rest, restAt, prefix };
}

/** Returns the constants of required members, which usually distinguish the alternatives of a union. */
export function constantsOf({ members }: Shape): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const [name, { parts }] of members) {
    const value = parts
      .map(({ schema }) => new SchemaNode(schema).constant)
      .find((constant) => constant !== undefined);
    if (value !== undefined) constants.set(name, toCanonical(value));
  }
  return constants;
}

/** Returns whether no value has both shapes, as far as listed values and constants of required members tell. */
export function areDisjoint(a: Shape, b: Shape): boolean {
  if (a.values !== undefined && b.values !== undefined)
    return [...a.values.keys()].every((key) => b.values?.has(key) !== true);
  return [...a.members].some(([name, member]) => {
    const other = b.members.get(name);
    if (member.required === undefined || other?.required === undefined) return false;
    const [own, others] = [listedIn(member), listedIn(other)];
    return (
      own !== undefined && others !== undefined && [...own].every((value) => !others.has(value))
    );
  });
}

function listedIn({ parts }: Member): ReadonlySet<string> | undefined {
  for (const { schema } of parts) {
    const { values } = new SchemaNode(schema);
    if (values !== undefined) return new Set(values.map(toCanonical));
  }
  return undefined;
}

/** Keywords of a shape's schemas, the outermost first. */
export function keywordsOf({ choice }: Shape): readonly (readonly [JsonObject, Place])[] {
  return choice.conjuncts.map(({ node, at }) => [node.keywords, at] as const);
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { at, listSpec, objectAt, objectsAt, parseSpec, textAt } from './contract-files.ts';

/** An example of a message, with the rule it breaks where it has to be refused. */
export interface MessageExample {
  readonly kind: string;
  readonly name: string;
  /** The path of its file in the contract's folder. */
  readonly file: string;
  readonly value: Json;
  readonly violates?: Violation;
}

/** The place of a value and the keyword that refuses it. */
export interface Violation {
  readonly at: string;
  readonly keyword: string;
}

const messages = objectAt(parseSpec('asyncapi.yaml'), 'components', 'messages');
const named = objectAt(parseSpec('asyncapi.yaml'), 'components', 'x-conditions');
const ajv = createAjv();

/** The kinds of notification, in the author's order. */
export const kinds: readonly string[] = Object.keys(messages);

/** Every example that the messages refer to. */
export const examples: readonly MessageExample[] = kinds.flatMap((kind) => [
  ...objectsAt(messages, kind, 'examples').map((example) => toExample(kind, example)),
  ...objectsAt(messages, kind, 'x-invalid-examples').map((example) => ({
    ...toExample(kind, example),
    violates: {
      at: textAt(example, 'violates', 'at'),
      keyword: textAt(example, 'violates', 'keyword'),
    },
  })),
]);

/** What a body violates of its kind's schema, in whichever of its forms it travels. */
export function violationsOf(kind: string, body: Json): readonly Violation[] {
  const schema = textAt(messages, kind, 'payload', '$ref').replace('./schemas/', '');
  return toCanonical(schema, body).flatMap(({ value, locate }) => {
    const validate = ajv.getSchema(`contract:/schemas/${schema}`);
    if (validate === undefined) throw new TypeError(`no schema ${schema}`);
    const errors = validate(value) === true ? [] : (validate.errors ?? []);
    const violations = errors
      .filter(({ keyword }) => keyword !== 'anyOf')
      .map(({ instancePath, keyword }) => ({ at: locate(instancePath), keyword }));
    return violations.filter(
      (violation, index) =>
        violations.findIndex((other) => JSON.stringify(other) === JSON.stringify(violation)) ===
        index,
    );
  });
}

/** For each value in a body, the kinds whose `x-identified-by` it satisfies. */
export function kindsOf(example: MessageExample): readonly (readonly string[])[] {
  const schema = textAt(messages, example.kind, 'payload', '$ref').replace('./schemas/', '');
  return toCanonical(schema, example.value).map(({ value }) =>
    kinds.filter((kind) => {
      const identification = at(messages, kind, 'x-identified-by');
      const alternatives = isJsonObject(identification)
        ? [identification]
        : objectsAt(identification);
      return alternatives.some((conditions) => matches(conditions, value));
    }),
  );
}

interface Canonical {
  readonly value: Json;
  /** A place of the canonical value as a place of the body. */
  readonly locate: (pointer: string) => string;
}

/** Members for which null has the meaning of a missing member. */
const nulls = ['/errors', '/Pix/payer', '/Pix/confirmationKey'];

/** Decimals, which can be written as texts. */
const decimals = [
  '/Pix/Amount',
  '/Pix/OriginalAmount',
  '/Pix/Discount',
  '/Pix/Reduction',
  '/Pix/Penalty',
  '/Pix/Interest',
  '/Pix/amount',
];

function toCanonical(schema: string, body: Json): readonly Canonical[] {
  return fromForm(schema, body).map(({ value, locate }) => ({
    value: decimals.reduce(
      (left, pointer) => withNumber(left, members(pointer)),
      nulls.reduce((left, pointer) => withoutNull(left, members(pointer)), value),
    ),
    locate,
  }));
}

function withoutNull(value: Json, [member = '', ...path]: readonly string[]): Json {
  if (!isJsonObject(value) || !Object.hasOwn(value, member)) return value;
  const { [member]: inner = null, ...rest } = value;
  if (path.length > 0) return { ...rest, [member]: withoutNull(inner, path) };
  return inner === null ? rest : value;
}

function withNumber(value: Json, [member = '', ...path]: readonly string[]): Json {
  if (!isJsonObject(value) || !Object.hasOwn(value, member)) return value;
  const { [member]: inner = null } = value;
  if (path.length > 0) return { ...value, [member]: withNumber(inner, path) };
  return typeof inner === 'string' ? { ...value, [member]: Number(inner) } : value;
}

function fromForm(schema: string, body: Json): readonly Canonical[] {
  const form = parseSpec(`schemas/${schema}`)['x-variants'];
  if (!isJsonObject(form)) return [{ value: body, locate: (pointer) => pointer }];
  const variant = Object.keys(form)
    .map((name) => objectAt(form, name))
    .find(({ when }) => isJsonObject(when) && matches(when, body));
  if (variant === undefined) return [{ value: body, locate: (pointer) => pointer }];
  const [each, as] = [textAt(variant, 'each'), textAt(variant, 'as')];
  const renamed = objectAt(variant, 'rename');
  const names = new Map(Object.keys(renamed).map((alias) => [alias, textAt(renamed, alias)]));
  const aliases = new Map([...names].map(([alias, name]) => [name, alias]));
  return objectsAt(body, ...members(each)).map((element, index) => ({
    value: {
      [members(as)[0] ?? '']: Object.fromEntries(
        Object.entries(element).map(([name, member]) => [names.get(name) ?? name, member]),
      ),
    },
    locate: (pointer) => {
      const [member, ...deeper] = members(pointer.slice(as.length));
      const inside = member === undefined ? [] : [aliases.get(member) ?? member, ...deeper];
      return [`${each}/${index}`, ...inside].join('/');
    },
  }));
}

function matches(conditions: JsonObject, body: Json): boolean {
  return Object.entries(conditions).every(([expression, schema]) => {
    if (!expression.startsWith('$')) {
      return (
        objectsAt(named, expression).some((conditions) => matches(conditions, body)) === schema
      );
    }
    const value = valueAt(body, members(expression.replace('$request.body#', '')));
    if (schema === false) return value === undefined;
    return value !== undefined && isJsonObject(schema) && ajv.validate(schema, value);
  });
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, member) =>
      isJsonObject(here) && Object.hasOwn(here, member) ? here[member] : undefined,
    value,
  );
}

function members(pointer: string): readonly string[] {
  return pointer.split('/').slice(1);
}

function toExample(kind: string, example: JsonObject): MessageExample {
  const file = textAt(example, 'payload', '$ref').replace('./', '');
  return { kind, name: textAt(example, 'name'), file, value: parseSpec(file) };
}

function createAjv(): Ajv2020 {
  const created = new Ajv2020({ allErrors: true, strict: false });
  created.addFormat('decimal', { type: 'number', validate: Number.isFinite });
  created.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);
  for (const name of listSpec('schemas/')) {
    created.addSchema(parseSpec(`schemas/${name}`), `contract:/schemas/${name}`);
  }
  return created;
}

import type { Parameter, EveryRequest } from '../contract.ts';
import type { GeneratedValue, RetryValue } from '../vocabulary/types.ts';
import type { Cursor } from '../../json/cursor.ts';
import { type Json, optional } from '../../json/json.ts';
import { unwrapSchema } from '../../specification/multi-format-schema.ts';
import type { Ledger } from './ledger.ts';
import { lowerExamples } from './examples.ts';
import type { LoweringContext } from './lowering-context.ts';
import { NameRegistry, toMemberName } from '../names.ts';

/**
 * Returns the parameters of a path item and of an operation in it. The operation's parameters replace those with the
 * same name and `in`. Leaves out the headers that OpenAPI ignores as parameters (3.1, 4.8.12.2.1).
 */
export function lowerParameters(
  pathItem: Cursor,
  operation: Cursor,
  context: LoweringContext,
): readonly Parameter[] {
  const parametersByKey = new Map<
    string,
    readonly [name: string, place: Parameter['in'], at: Cursor]
  >();
  const references = [pathItem, operation].flatMap((holder) => holder.items('parameters'));
  for (const at of references.map((reference) => reference.follow())) {
    const name = at.text('name');
    const place = at.text('in');
    if (name === undefined || !isPlace(place)) continue;
    if (place === 'header' && ignored.has(name.toLowerCase())) continue;
    parametersByKey.set(`${place} ${name}`, [name, place, at]);
  }
  const names = new NameRegistry<Cursor>();
  return Array.from(parametersByKey.values(), ([name, place, at]) => {
    const required = place === 'path' || at.isTrue('required');
    return toParameter(name, place, at, required, names, context);
  });
}

/** Converts OpenAPI's Header Objects to parameters, without `Content-Type`. */
export function lowerHeaders(headers: Cursor, context: LoweringContext): readonly Parameter[] {
  const names = new NameRegistry<Cursor>();
  return headers
    .entries()
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => {
      const at = header.follow();
      return toParameter(name, 'header', at, at.isTrue('required'), names, context);
    });
}

/** Converts the properties of AsyncAPI's message headers, which are one schema, to parameters. */
export function lowerHeaderSchema(headers: Cursor, context: LoweringContext): readonly Parameter[] {
  return lowerProperties(headers, 'header', context);
}

/** Converts the properties of the query that an operation of AsyncAPI binds, which are one schema, to parameters. */
export function lowerQuerySchema(query: Cursor, context: LoweringContext): readonly Parameter[] {
  return lowerProperties(query, 'query', context);
}

function lowerProperties(
  holder: Cursor,
  place: 'header' | 'query',
  context: LoweringContext,
): readonly Parameter[] {
  const at = holder.follow();
  const schema = unwrapSchema(at).follow();
  const required = schema.items('required').map((at) => at.text());
  const names = new NameRegistry<Cursor>();
  return schema.entries('properties').map(([name, property]) => ({
    ...toParameter(name, place, property, required.includes(name), names, context),
    schema: context.schemas.normalize(property),
  }));
}

/** Converts AsyncAPI's channel parameters, which are always required strings. */
export function lowerChannelParameters(
  parameters: Cursor,
  context: LoweringContext,
): readonly Parameter[] {
  const names = new NameRegistry<Cursor>();
  return parameters.entries().map(([name, parameter]) => {
    const at = parameter.follow();
    const values = at.valueIn('enum');
    const standard = at.valueIn('default');
    const lowered = toParameter(name, 'path', at, true, names, context);
    return {
      ...lowered,
      examples: lowered.examples.map(toText),
      ...optional('location', at.text('location')),
      schema: {
        type: 'string',
        ...optional('enum', Array.isArray(values) ? values.map(toText) : values),
        ...optional('default', standard === undefined ? undefined : toText(standard)),
      },
    };
  });
}

/** Returns a number or a truth value as the text that stands for it in a path. */
function toText(value: Json): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function toParameter(
  name: string,
  place: Parameter['in'],
  at: Cursor,
  required: boolean,
  names: NameRegistry<Cursor>,
  context: LoweringContext,
): Parameter {
  const [content] = at.entries('content');
  const schema = content === undefined ? schemaOf(at) : content[1].child('schema');
  const style = at.text('style') ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const explode = at.valueIn('explode');
  return {
    kind: 'parameter',
    pointer: at.pointer,
    ...at.annotations(),
    name,
    propertyName: names.claimFree(toMemberName(name), at),
    in: place,
    required,
    deprecated: at.isTrue('deprecated'),
    ...optional('description', at.text('description')),
    schema: schema.value === undefined ? true : context.schemas.normalize(schema),
    ...optional('mediaType', content?.[0]),
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'cookie',
    allowReserved: at.isTrue('allowReserved'),
    // A schema has a list of values in place of Example Objects.
    examples: [...lowerExamples(at), ...at.items('examples')].map(({ value }) => value ?? null),
    ...optional('everyRequest', everyRequestOf(at.child('x-every-request'), context.ledger)),
  };
}

/**
 * Returns the schema of a parameter. In Swagger 2.0, the schema's keywords are members of the parameter itself.
 * Documents that were converted by hand can still have them there.
 */
function schemaOf(at: Cursor): Cursor {
  const schema = at.child('schema');
  if (schema.value !== undefined || at.valueIn('type') === undefined) return schema;
  const keywords = at
    .entries()
    .flatMap(([name, { value }]) =>
      swaggerKeywords.has(name) && value !== undefined ? [[name, value] as const] : [],
    );
  return at.withValue(Object.fromEntries(keywords));
}

const swaggerKeywords: ReadonlySet<string> = new Set(
  (
    'type format items default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems ' +
    'minItems uniqueItems enum multipleOf'
  ).split(' '),
);

/**
 * Reads `x-every-request`. A string such as `uuid` is short for `{ value: uuid }`. By default, a retry renews a
 * timestamp and keeps any other value.
 */
function everyRequestOf(at: Cursor, ledger: Ledger): EveryRequest | undefined {
  if (at.value === undefined) return undefined;
  const valuePlace = at.valueIn('value') === undefined ? at : at.child('value');
  const value = ledger.settle<GeneratedValue>(valuePlace);
  if (value === undefined) return undefined;
  const retry = ledger.settle<RetryValue>(at.child('retry'));
  return { value, retry: retry ?? (value === 'timestamp' ? 'renew' : 'keep') };
}

function isPlace(place: string | undefined): place is Parameter['in'] {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}

const ignored: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

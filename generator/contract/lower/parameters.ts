import type { Parameter, EveryRequest } from '../contract.ts';
import {
  child,
  entries,
  follow,
  isTrue,
  items,
  optional,
  annotationsOf,
  text,
  type Cursor,
} from '../../json/cursor.ts';
import type { Ledger } from './ledger.ts';
import { lowerExamples } from './examples.ts';
import type { LoweringContext } from './lowering-context.ts';
import { NameRegistry, toMemberName } from './names.ts';

/**
 * Returns the parameters of a path item and of an operation in it. The operation's parameters replace those with the
 * same name and `in`. Leaves out the headers that OpenAPI ignores as parameters (3.1, 4.8.12.2.1).
 */
export function lowerParameters(
  pathItem: Cursor,
  operation: Cursor,
  context: LoweringContext,
): readonly Parameter[] {
  const found = new Map<string, readonly [name: string, place: Parameter['in'], at: Cursor]>();
  const lists = [pathItem, operation].map((holder) => child(holder, 'parameters'));
  for (const at of lists.flatMap(items).map(follow)) {
    const name = text(child(at, 'name'));
    const place = text(child(at, 'in'));
    if (name === undefined || !isPlace(place)) continue;
    if (place === 'header' && ignored.has(name.toLowerCase())) continue;
    found.set(`${place} ${name}`, [name, place, at]);
  }
  const names = new NameRegistry<Cursor>();
  return Array.from(found.values(), ([name, place, at]) => {
    const required = place === 'path' || isTrue(child(at, 'required'));
    return toParameter(name, place, at, required, names, context);
  });
}

/** Converts OpenAPI's Header Objects to parameters, without `Content-Type`. */
export function lowerHeaders(headers: Cursor, context: LoweringContext): readonly Parameter[] {
  const names = new NameRegistry<Cursor>();
  return entries(headers)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => {
      const at = follow(header);
      return toParameter(name, 'header', at, isTrue(child(at, 'required')), names, context);
    });
}

/** Converts the properties of AsyncAPI's message headers, which are one schema, to parameters. */
export function lowerHeaderSchema(headers: Cursor, context: LoweringContext): readonly Parameter[] {
  const at = follow(headers);
  const isMultiFormat = text(child(at, 'schemaFormat')) !== undefined;
  const schema = isMultiFormat ? follow(child(at, 'schema')) : at;
  const required = items(child(schema, 'required')).map(text);
  const names = new NameRegistry<Cursor>();
  return entries(child(schema, 'properties')).map(([name, property]) => ({
    ...toParameter(name, 'header', property, required.includes(name), names, context),
    schema: context.schemas.normalise(property),
  }));
}

/** Converts AsyncAPI's channel parameters, which are always required strings. */
export function lowerChannelParameters(
  parameters: Cursor,
  context: LoweringContext,
): readonly Parameter[] {
  const names = new NameRegistry<Cursor>();
  return entries(parameters).map(([name, parameter]) => {
    const at = follow(parameter);
    const values = child(at, 'enum').value;
    return {
      ...toParameter(name, 'path', at, true, names, context),
      ...optional('location', text(child(at, 'location'))),
      schema: {
        type: 'string',
        ...optional('enum', values),
        ...optional('default', child(at, 'default').value),
      },
    };
  });
}

function toParameter(
  name: string,
  place: Parameter['in'],
  at: Cursor,
  required: boolean,
  names: NameRegistry<Cursor>,
  context: LoweringContext,
): Parameter {
  const [content] = entries(child(at, 'content'));
  const schema = content === undefined ? schemaOf(at) : child(content[1], 'schema');
  const style =
    text(child(at, 'style')) ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  const explode = child(at, 'explode').value;
  return {
    kind: 'parameter',
    pointer: at.pointer,
    ...annotationsOf(at),
    name,
    propertyName: names.claimFree(toMemberName(name), at),
    in: place,
    required,
    deprecated: isTrue(child(at, 'deprecated')),
    ...optional('description', text(child(at, 'description'))),
    schema: schema.value === undefined ? true : context.schemas.normalise(schema),
    ...optional('mediaType', content?.[0]),
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    allowReserved: isTrue(child(at, 'allowReserved')),
    // A schema has a list of values in place of Example Objects.
    examples: [...lowerExamples(at), ...items(child(at, 'examples'))].map(
      ({ value }) => value ?? null,
    ),
    ...optional('everyRequest', everyRequestOf(child(at, 'x-every-request'), context.ledger)),
  };
}

/**
 * Returns the schema of a parameter. In Swagger 2.0, the schema's keywords are members of the parameter itself.
 * Documents that were converted by hand can still have them there.
 */
function schemaOf(at: Cursor): Cursor {
  const schema = child(at, 'schema');
  if (schema.value !== undefined || child(at, 'type').value === undefined) return schema;
  const keywords = entries(at).flatMap(([name, { value }]) =>
    swaggerKeywords.has(name) && value !== undefined ? [[name, value] as const] : [],
  );
  return { ...at, value: Object.fromEntries(keywords) };
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
  const written = child(at, 'value').value === undefined ? at : child(at, 'value');
  const value = ledger.settle<EveryRequest['value'] & string>(written);
  if (value === undefined) return undefined;
  const retry = ledger.settle<'keep' | 'renew'>(child(at, 'retry'));
  return { value, retry: retry ?? (value === 'timestamp' ? 'renew' : 'keep') };
}

function isPlace(place: string | undefined): place is Parameter['in'] {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}

const ignored: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

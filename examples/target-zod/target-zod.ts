import type { JsonSchema, Schema, Target } from 'countersign';
import {
  Code,
  code,
  emitPackageFrame,
  findSchema,
  generatedComment,
  identifier,
  indexSchemas,
  isAssertion,
  joinCode,
  jsdoc,
  type JsonType,
  literal,
  memberName,
  oneOf,
  packageTemplates,
  SchemaNode,
  TargetError,
  toMemberName,
  webLibraries,
} from 'countersign/kit';

/** The keywords that the target translates, and `format`, which is an annotation in JSON Schema 2020-12. */
const translated = new Set(
  '$ref type properties required items pattern const enum allOf anyOf oneOf not format'.split(' '),
);
const types: readonly JsonType[] = ['string', 'number', 'boolean', 'null', 'object', 'array'];

/** A package with a schema of zod for each schema of the contract. */
export const zod: Target<{ names?: 'type' | 'member' }> = {
  name: 'zod',
  requires: [],
  fingerprint: [import.meta.filename],
  templates: [packageTemplates, `${import.meta.dirname}/templates`],
  options: { names: oneOf('type', 'member') },
  *emit(contract, context) {
    yield* emitPackageFrame(contract, context, {
      target: 'zod',
      description: 'A schema of zod for each schema of the contract.',
      entries: ['index'],
      files: ['src'],
      dependencies: { zod: '^4.0.0' },
      lib: webLibraries,
      include: ['src'],
      readme: {},
    });
    const { schemas } = contract;
    const toName = (text: string) =>
      context.options.names === 'member' ? toMemberName(`${text} schema`) : text;
    const index = indexSchemas(contract);
    const nameOf = (name: string) => identifier(toName(findSchema(index, name).typeName));
    const constants = schemas.map((schema) => {
      const { name, description, deprecated, source, pointer } = schema;
      const about = jsdoc({ description, deprecated, source, place: context.placeOf?.(pointer) });
      return code`${about}\nexport const ${nameOf(name)}: z.ZodType = ${print(schema.definition, schema, nameOf)};`;
    });
    const text = joinCode(
      [generatedComment, new Code("import { z } from 'zod';"), ...constants],
      '\n\n',
    ).text;
    yield { path: 'zod/src/index.ts', text, from: schemas.map(({ pointer }) => pointer) };
  },
};

/** Returns a schema of zod for a schema: all parts that a value has to satisfy. */
function print(schema: JsonSchema, of: Schema, nameOf: (schema: string) => Code): Code {
  const node = new SchemaNode(schema);
  if (node.isNever) return code`z.never()`;
  const other = Object.keys(node.keywords).find((key) => isAssertion(key) && !translated.has(key));
  const isScalar = node.values?.every((value) => value === null || typeof value !== 'object');
  if (other !== undefined || isScalar === false)
    throw new TargetError(`\`${other ?? 'enum'}\` of "${of.name}" is not translated`, of.pointer);
  const all = (schemas: readonly JsonSchema[]): readonly Code[] =>
    schemas.map((each) => print(each, of, nameOf));
  const { reference, values, anyOf, oneOf: exclusive } = node;
  const not = node.schema('not');
  const parts = [
    ...(reference === undefined ? [] : [code`z.lazy(() => ${nameOf(reference)})`]),
    ...(values === undefined
      ? []
      : [
          accept(
            code`${literal(values.map((value) => JSON.stringify(value)))}.includes(JSON.stringify(value))`,
          ),
        ]),
    ...(node.has('type', 'properties', 'required', 'items', 'pattern')
      ? [code`z.union([${(node.types ?? types).map((type) => printType(type, node, all))}])`]
      : []),
    ...all(node.allOf),
    ...(anyOf.length === 0 ? [] : [code`z.union([${all(anyOf)}])`]),
    ...(exclusive.length === 0
      ? []
      : [
          accept(
            code`[${all(exclusive)}].filter((one) => one.safeParse(value).success).length === 1`,
          ),
        ]),
    ...(not === undefined
      ? []
      : [accept(code`!${print(not, of, nameOf)}.safeParse(value).success`)]),
  ];
  return joinCode(
    [parts[0] ?? code`z.unknown()`, ...parts.slice(1).map((part) => code`and(${part})`)],
    '.',
  );
}

function accept(condition: Code): Code {
  return code`z.unknown().refine((value) => ${condition})`;
}

function printType(
  type: JsonType,
  node: SchemaNode,
  all: (schemas: readonly JsonSchema[]) => readonly Code[],
): Code {
  if (type === 'integer') return code`z.number().refine(Number.isInteger)`;
  if (type === 'array') return code`z.array(${all([node.schema('items') ?? true])})`;
  if (type === 'string' && node.has('pattern'))
    return code`z.string().regex(new RegExp(${literal(node.text('pattern') ?? '')}, 'u'))`;
  if (type !== 'object') return code`z.${identifier(type)}()`;
  const members = node.properties.map(
    ([name, schema]) => code`${memberName(name)}: ${all([schema])}.optional()`,
  );
  const has = code`${literal(node.required)}.every((name) => Object.hasOwn(value, name))`;
  return code`z.looseObject({ ${members} }).refine((value) => ${has})`;
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import type { AnySchemaObject, KeywordDefinition, ValidateFunction } from 'ajv';
import * as codegen from 'ajv/dist/compile/codegen/index.js';
import * as util from 'ajv/dist/compile/util.js';
import core from 'ajv/dist/core.js';
import anyOf from 'ajv/dist/vocabularies/applicator/anyOf.js';
import oneOf from 'ajv/dist/vocabularies/applicator/oneOf.js';
import vocabularies from 'ajv/dist/vocabularies/draft2020.js';
import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import { SampleMaker } from '../../packages/simulator/src/samples/sample-maker.ts';
import type { WithSchemas } from '../../generator/schema/model.ts';
import { mapSchema } from '../../generator/schema/visit.ts';
import type { AjvLibrary } from '../../generator/validators/ajv-library.ts';
import { formatMember, formats, isInteger } from '../../generator/validators/formats.ts';
import { unionKeywords } from '../../generator/validators/keywords/union-keywords.ts';
import { ValidatorCompiler } from '../../generator/validators/validator-compiler.ts';
import type { ValidatorCode } from '../../generator/validators/validator-code.ts';
import { toValidatorSchema } from '../../generator/validators/validator-schema.ts';
import { planValidators } from '../../generator/validators/validator-units.ts';

/** The number of schemas and values for which both validators were asked, and of their answers. */
export interface Agreement {
  schemas: number;
  accepted: number;
  refused: number;
  violations: number;
  /** Schemas that are not compiled or for which there is no sample. */
  withoutSample: number;
  /** Descriptions of the first differences. */
  readonly differences: string[];
}

interface Failures {
  readonly count: number;
  readonly list: readonly Failure[];
}
interface Failure {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
type Check = (value: Json, path: string, to: Failures) => number;

/**
 * Asks the compiled validators of a contract and Ajv, which compiles the same schemas with its own keywords, about
 * samples of each schema and about changed samples.
 */
export async function compareWithAjv(
  contract: WithSchemas,
  samples: number,
  changes: number,
): Promise<Agreement> {
  const agreement: Agreement = {
    schemas: 0,
    accepted: 0,
    refused: 0,
    violations: 0,
    withoutSample: 0,
    differences: [],
  };
  const checks = await compiledChecks(contract);
  const plain = plainAjv(contract);
  const maker = new SampleMaker(contract);
  try {
    for (const { name } of contract.schemas) {
      const check = checks.get(name);
      const { values } = await maker.make(name, samples);
      if (check === undefined || values.length === 0) {
        agreement.withoutSample += 1;
        continue;
      }
      const reference = plain(name);
      agreement.schemas += 1;
      for (const value of values.flatMap((sample) => [sample, ...changed(sample, changes)])) {
        const ours = check(value);
        const isValid: unknown = reference(value);
        const theirs = isValid === true ? [] : (reference.errors ?? []);
        const [own, other] = [ours, theirs].map(toTexts);
        if (theirs.length === 0) agreement.accepted += 1;
        else agreement.refused += 1;
        agreement.violations += theirs.length;
        if (JSON.stringify(own) !== JSON.stringify(other) && agreement.differences.length < 5)
          agreement.differences.push(JSON.stringify({ name, value, own, other }, undefined, 1));
      }
    }
  } finally {
    maker.close();
  }
  return agreement;
}

/**
 * Returns the violations in their order. Those of `unevaluated…` are left out if there are others: Ajv takes the members
 * of a `$ref` that fails for evaluated if it has compiled the schema before.
 */
function toTexts(all: readonly Failure[]): readonly string[] {
  const others = all.filter(({ keyword }) => !keyword.startsWith('unevaluated'));
  return (others.length > 0 ? others : all).map(
    ({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${JSON.stringify(params)}`,
  );
}

/** Compiles the validators, and runs them with the functions of the generated runtime. */
async function compiledChecks(
  contract: WithSchemas,
): Promise<ReadonlyMap<string, (value: Json) => readonly Failure[]>> {
  const plan = planValidators(contract);
  const compiled = new ValidatorCompiler().compile(plan, plan.units.values());
  const runtime = fileURLToPath(
    import.meta.resolve('@countersign/templates/validators/keywords.js.hbs'),
  );
  const script = [readFileSync(runtime, 'utf8').replaceAll(/^export (?=function|class)/gmu, '')];
  const codes = new Map<string, ValidatorCode>();
  for (const [unit, result] of compiled) {
    const outcome = await result;
    if (!('code' in outcome)) continue;
    const { name, text, evaluated, constants } = outcome.code;
    codes.set(unit.name, outcome.code);
    script.push(...constants.map((constant) => `var ${constant.name} = ${constant.text};`), text);
    if (evaluated !== undefined) script.push(`${name}.evaluated = ${evaluated};`);
  }
  script.push('(max) => new Failures(max)');
  const globals = createContext(
    Object.fromEntries(
      Array.from(formats, ([name, format]) => [
        formatMember(name),
        format.type === 'string'
          ? format.expression
          : { validate: (value: number) => isInteger(value, format.bits) },
      ]),
    ),
  ) as Record<string, Check>;
  const createFailures = runInContext(script.join('\n'), globals) as (max: number) => Failures;
  return new Map(
    Array.from(codes, ([schema, { name }]) => [
      schema,
      (value) => {
        const failures = createFailures(Infinity);
        const count = globals[name]?.(value, '', failures);
        if (count !== failures.list.length) throw new Error(`${name} counts wrongly.`);
        return failures.list;
      },
    ]),
  );
}

/** Returns the validators that Ajv compiles, as it reports them without any option for code. */
function plainAjv({ schemas }: WithSchemas): (name: string) => ValidateFunction {
  const ajv = new core.default({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    ownProperties: true,
    unevaluated: true,
    next: true,
    meta: false,
    validateSchema: false,
    logger: false,
    messages: false,
  });
  const own = new Map(
    [
      ...ownRules,
      ...unionKeywords({ codegen, util, anyOf: anyOf.default, oneOf: oneOf.default } as AjvLibrary),
    ].map((definition): [string, KeywordDefinition] => [String(definition.keyword), definition]),
  );
  for (const vocabulary of vocabularies.default)
    ajv.addVocabulary(
      vocabulary.map((definition) =>
        typeof definition === 'string'
          ? definition
          : (own.get(String(definition.keyword)) ?? definition),
      ),
    );
  for (const [name, format] of formats) {
    if (format.type === 'string') ajv.addFormat(name, format.expression);
    else
      ajv.addFormat(name, {
        type: 'number',
        validate: (value: number) => isInteger(value, format.bits),
      });
  }
  const numbers = new Map(schemas.map(({ name }, index) => [name, `S${index}`]));
  const $defs = Object.fromEntries(
    schemas.map(({ name, definition }) => [
      numbers.get(name),
      mapSchema(toValidatorSchema(definition), (schema): JsonObject =>
        typeof schema['$ref'] === 'string'
          ? { ...schema, $ref: `#/$defs/${numbers.get(schema['$ref'])}` }
          : schema,
      ),
    ]),
  );
  ajv.addSchema({ $id: 'contract', $defs });
  return (name) => {
    const validate = ajv.getSchema(`contract#/$defs/${numbers.get(name)}`);
    if (validate === undefined) throw new Error(`Ajv has no schema "${name}".`);
    return validate as ValidateFunction;
  };
}

/** The keywords that differ from Ajv's on purpose: decimal numbers, and patterns that are not matched. */
const ownRules: readonly KeywordDefinition[] = [
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: '', params: ({ schemaCode }) => codegen._`{multipleOf: ${schemaCode}}` },
    validate: (divisor: number, value: number) =>
      Math.abs(value / divisor - Math.round(value / divisor)) < 1e-9,
  },
  {
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: '', params: ({ schemaCode }) => codegen._`{pattern: ${schemaCode}}` },
    compile: (pattern: string, { maxLength = Infinity }: AnySchemaObject) => {
      const expression = new RegExp(pattern, 'u');
      return (text: string) => Array.from(text).length > Number(maxLength) || expression.test(text);
    },
  },
];

/** Returns changed copies of a value: each place loses a member, gains one, or gets another value. */
function changed(sample: Json, max: number): readonly Json[] {
  const places = [...placesIn(sample)];
  const all = places.flatMap(({ value, set }) => otherValues(value).map((other) => set(other)));
  // Spread over the whole value.
  const step = Math.max(1, all.length / max);
  return Array.from(
    { length: Math.min(max, all.length) },
    (_, index) => all[Math.floor(index * step)] ?? null,
  );
}

interface Place {
  readonly value: Json;
  /** Returns the whole value with another value at this place. */
  readonly set: (value: Json) => Json;
}

function* placesIn(value: Json, set: Place['set'] = (other) => other): Generator<Place> {
  yield { value, set };
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries())
      yield* placesIn(item, (other) => set(value.with(index, other) as Json));
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value))
      if (member !== undefined)
        yield* placesIn(member, (other) => set({ ...value, [name]: other }));
  }
}

function otherValues(value: Json): readonly Json[] {
  const types: readonly Json[] = [
    null,
    true,
    '',
    'x'.repeat(300),
    0,
    -1.5,
    1e12,
    [],
    {},
    [null],
    { a: 1 },
  ];
  if (typeof value === 'string') return [...types, `${value}!`, value.slice(1)];
  if (typeof value === 'number') return [...types, value + 1, value - 1, value + 0.5, -value];
  if (Array.isArray(value)) return [...types, [...value, ...value] as Json, value.slice(1) as Json];
  if (!isJsonObject(value)) return types;
  const names = Object.keys(value);
  const without = names.map((name): Json => {
    const { [name]: _, ...others } = value;
    return others;
  });
  return [...types, ...without, { ...value, unknown: 1, constructor: 2 }];
}

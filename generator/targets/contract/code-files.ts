import type { Contract } from '../../contract/contract.ts';
import type { Schema } from '../../schema/model.ts';
import { deprecatedSchemas } from '../../contract/deprecated.ts';
import { Code } from '../code.ts';
import { type Documentation, jsdoc } from '../jsdoc.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { inheritExamples } from './examples.ts';
import { type EnumerationSchema, describeEnumeration, toOpenNames } from './enumerations.ts';
import { formatExports } from './format-types.ts';
import { packageFolder } from './layout.ts';
import { hasQuestions } from './open-questions-file.ts';
import { SchemaNotes } from '../printing/types/schema-notes.ts';
import { typeSchemas } from '../printing/types/types.ts';
import { planValidators } from '../../validators/validator-units.ts';
import { validatorModule } from '../printing/validators/emit-validators.ts';

/** Emits one module for each schema: its type or enumeration, and the guards that use its validator. */
export function* emitTypes(contract: Contract, context: TargetContext): Generator<OutputFile> {
  const types = typeSchemas(contract);
  const taken = typeNamesOf(contract);
  const fileOf = new Map([
    ...contract.schemas.map(({ typeName, fileName }) => [typeName, `./${fileName}.ts`] as const),
    ...(contract.formats ?? []).map(({ typeName }) => [typeName, '../formats.ts'] as const),
  ]);
  const documentation = createDocumentation(contract, context);
  const guards = createGuards(contract, context);
  for (const schema of contract.schemas) {
    const path = `${packageFolder}/src/types/${schema.fileName}.ts`;
    const from = [schema.pointer];
    if (isEnumeration(schema)) {
      const text = context.render('enumeration.ts', {
        ...describeEnumeration(schema, documentation(schema), taken),
        guards: guards(schema),
      });
      yield { path, text, from };
      continue;
    }
    const type = types.get(schema.name);
    if (type === undefined) throw new TypeError(`The schema "${schema.name}" was not typed.`);
    const imports = type.typeNames.map((typeName) => ({
      typeName,
      from: fileOf.get(typeName) ?? '',
    }));
    const text = context.render('type.ts', {
      imports,
      comment: jsdoc(documentation(schema)),
      typeName: schema.typeName,
      isInterface: type.kind === 'interface',
      type: new Code(type.text),
      guards: guards(schema),
    });
    yield { path, text, from };
  }
}

/** Creates the function that describes the guards of a schema. Without validators, there are none. */
function createGuards(
  contract: Contract,
  context: TargetContext,
): (schema: Schema) => object | undefined {
  if (context.validators === false) return () => undefined;
  const deprecated = deprecatedSchemas(contract);
  const { units } = planValidators(contract);
  return ({ name, typeName }) => {
    const unit = units.get(name);
    if (unit === undefined) throw new TypeError(`The schema "${name}" has no validator.`);
    const about = (summary: string): Code => jsdoc({ summary, deprecated: deprecated.has(name) });
    return {
      typeName,
      validator: unit.functionName,
      from: `../../${validatorModule(unit, context)}`,
      isAbout: about(`Whether a value is valid as \`${typeName}\`. Never throws.`),
      validateAbout: about(
        `Every rule of \`${typeName}\` that a value breaks; none for a valid one. Never throws.`,
      ),
      assertAbout: about(
        `Guarantees that a value is valid as \`${typeName}\`. Throws a ValidationError that lists every violation.`,
      ),
    };
  };
}

/** Emits the entry of the package, which exports from all its modules. */
export function emitIndex(contract: Contract, context: TargetContext): OutputFile {
  const taken = typeNamesOf(contract);
  const schemas = contract.schemas.map((schema) => ({
    typeName: schema.typeName,
    typeModule: `./types/${schema.fileName}.ts`,
    exported: new Code(exportsOf(schema, taken, context)),
  }));
  const formats = formatExports(contract);
  const validators = context.validators !== false;
  const questions = hasQuestions(contract);
  const text = context.render('index.ts', { schemas, formats, validators, questions });
  return { path: `${packageFolder}/src/index.ts`, text, from: [] };
}

function typeNamesOf({ schemas, formats = [] }: Contract): ReadonlySet<string> {
  return new Set([...schemas, ...formats].map(({ typeName }) => typeName));
}

function exportsOf(
  schema: Schema,
  taken: ReadonlySet<string>,
  { validators }: TargetContext,
): string {
  const { typeName } = schema;
  const verbs = validators === false ? [] : ['assert', 'is', 'validate'];
  const values = verbs.map((verb) => `${verb}${typeName}`);
  if (!isEnumeration(schema))
    return values.length === 0
      ? `type { ${typeName} }`
      : `{ ${[...values, `type ${typeName}`].join(', ')} }`;
  values.push(typeName);
  if (!schema.enumeration.open) return `{ ${values.join(', ')} }`;
  const { listedType, isKnown } = toOpenNames(typeName, taken);
  return `{ ${[...values, isKnown, `type ${listedType}`].join(', ')} }`;
}

function isEnumeration(schema: Schema): schema is EnumerationSchema {
  return schema.enumeration !== undefined;
}

function createDocumentation(
  contract: Contract,
  { placeOf }: TargetContext,
): (schema: Schema) => Documentation {
  const borrowed = inheritExamples(contract);
  const deprecated = deprecatedSchemas(contract);
  const notes = new SchemaNotes(contract);
  return (schema) => {
    const { name, title, description, source, examples } = schema;
    const { paragraphs, once, entries, constraints } = notes.ofSchema(schema);
    const texts = [description, ...paragraphs, ...once, constraints].filter(
      (text) => text !== undefined,
    );
    return {
      summary: title,
      description: texts.join('\n\n'),
      notes: schema.notes,
      questions: entries,
      source,
      sourceDocument: contract.info.sourceDocument,
      place: placeOf?.(schema.pointer),
      deprecated: deprecated.has(name),
      examples:
        examples.length > 0
          ? examples.map((value) => ({ value }))
          : [borrowed.get(name) ?? []].flat(),
    };
  };
}

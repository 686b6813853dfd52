import type { Contract } from '../../contract/contract.ts';
import type { Schema } from '../../schema/model.ts';
import { deprecatedSchemas } from '../../contract/deprecated.ts';
import { Code, joinCode } from '../code.ts';
import { identifier } from '../escape.ts';
import { type Documentation, jsdoc } from '../jsdoc.ts';
import type { OutputFile, TargetContext } from '../target.ts';
import { inheritExamples } from './examples.ts';
import { type EnumerationSchema, describeEnumeration } from './enumerations.ts';
import { formatExports } from './format-types.ts';
import { packageFolder } from './layout.ts';
import { type ContractOptions, schemasToValidate } from './options.ts';
import { SchemaNotes } from '../printing/types/schema-notes.ts';
import { typeSchemas } from '../printing/types/types.ts';
import { planValidators } from '../../validators/validator-units.ts';
import { byModule, specifierOf } from '../printing/modules.ts';
import { validatorPath } from '../printing/validators/validator-path.ts';

/** Returns the path of a module of types, without its ending. The only one is the entry of the package. */
function typesPath(module: string | undefined): string {
  return module === undefined ? 'src/index' : `src/types/${module}`;
}

/** Emits the modules of schemas: types and enumerations, and the guards that use their validators. */
export function* emitTypes(
  contract: Contract,
  context: TargetContext<ContractOptions>,
): Generator<OutputFile> {
  const types = typeSchemas(contract);
  const taken = typeNamesOf(contract);
  const pathOf = new Map([
    ...contract.schemas.map(({ typeName, module }) => [typeName, typesPath(module)] as const),
    ...(contract.formats ?? []).map(({ typeName }) => [typeName, 'src/formats'] as const),
  ]);
  const documentation = createDocumentation(contract, context);
  const guards = createGuards(contract, context);
  for (const [module, schemas] of byModule(contract.schemas)) {
    const path = typesPath(module);
    const used = new Map<string, Set<string>>();
    const declarations = schemas.map((schema) => {
      const shared = { isEnumeration: isEnumeration(schema), guards: guards(schema) };
      if (isEnumeration(schema))
        return { ...shared, ...describeEnumeration(schema, documentation(schema), taken) };
      const type = types.get(schema.name);
      if (type === undefined) throw new TypeError(`The schema "${schema.name}" was not typed.`);
      for (const typeName of type.typeNames) {
        const from = pathOf.get(typeName) ?? '';
        if (from !== path) used.set(from, (used.get(from) ?? new Set()).add(typeName));
      }
      return {
        ...shared,
        comment: jsdoc(documentation(schema)),
        typeName: schema.typeName,
        isInterface: type.kind === 'interface',
        type: new Code(type.text),
      };
    });
    yield {
      path: `${packageFolder}/${path}.ts`,
      text: context.render('types.ts', {
        entry: module === undefined ? describeEntry(contract, context) : undefined,
        validation: specifierOf(path, 'src/validation.ts'),
        validators:
          declarations.some((declaration) => declaration.guards !== undefined) &&
          specifierOf(path, `${validatorPath(module)}.js`),
        imports: Array.from(used, ([from, typeNames]) => ({
          names: joinCode([...typeNames].toSorted().map(identifier)),
          from: specifierOf(path, `${from}.ts`),
        })).toSorted((a, b) => (a.from < b.from ? -1 : 1)),
        declarations,
      }),
      from: schemas.map(({ pointer }) => pointer),
    };
  }
}

/** Creates the function that describes the guards of a schema. Without a validator, it has none. */
function createGuards(
  contract: Contract,
  context: TargetContext<ContractOptions>,
): (schema: Schema) => object | undefined {
  const deprecated = deprecatedSchemas(contract);
  const { units } = planValidators(schemasToValidate(contract, context));
  return ({ name, typeName }) => {
    const unit = units.get(name);
    return unit && { typeName, validator: unit.functionName, deprecated: deprecated.has(name) };
  };
}

/** Emits the entry of the package, which exports from all its modules, unless one has all schemas and is the entry. */
export function* emitIndex(contract: Contract, context: TargetContext): Generator<OutputFile> {
  const names = [...byModule(contract.schemas).keys()];
  if (names.length === 1 && names[0] === undefined) return;
  const modules = names
    .map((module) => specifierOf('src/index', `${typesPath(module)}.ts`))
    .toSorted();
  const text = context.render('index.ts', { modules, entry: describeEntry(contract, context) });
  yield { path: `${packageFolder}/src/index.ts`, text, from: [] };
}

/** Describes what the entry of the package exports besides the schemas. */
function describeEntry(contract: Contract, context: TargetContext): object {
  return { formats: formatExports(contract), validators: context.validators !== false };
}

function typeNamesOf({ schemas, formats = [] }: Contract): ReadonlySet<string> {
  return new Set([...schemas, ...formats].map(({ typeName }) => typeName));
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

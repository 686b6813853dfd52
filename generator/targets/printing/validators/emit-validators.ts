import { formatMember, formats } from '../../../validators/formats.ts';
import { ValidatorCompiler } from '../../../validators/validator-compiler.ts';
import type { ValidatorPlan, ValidatorUnit } from '../../../validators/validator-units.ts';
import { toTargetError } from '../../target-error.ts';
import { Code, code } from '../../code.ts';
import { identifier } from '../../escape.ts';
import type { BuiltInContext } from '../../built-in-context.ts';
import type { OutputFile, TargetContext } from '../../target.ts';
import { linkModule } from './validator-modules.ts';

/** The functions of a package's validators. A thread can still be compiling them. */
export type CompilingUnits = ReturnType<ValidatorCompiler['compile']>;

/** Starts to compile the validators of a package, so that a thread works while other files are emitted. */
export function startCompiling(
  plan: ValidatorPlan,
  { compiler = new ValidatorCompiler() }: BuiltInContext,
): CompilingUnits {
  return compiler.compile(plan, plan.units.values());
}

/**
 * Emits a module for each compiled validator of a package, the module that exports all of them, the runtime functions
 * that they call, and the module that describes violations. The target needs the templates of the folder `validators`.
 * @param folder the folder of the package below the output folder
 */
export async function* emitValidatorModules(
  folder: string,
  units: ReadonlyMap<string, ValidatorUnit>,
  compiling: CompilingUnits,
  context: TargetContext,
): AsyncGenerator<OutputFile> {
  const isSource = context.layout === 'folder';
  for (const unit of units.values()) {
    const { of: schema } = unit;
    const module = await link(unit, units, compiling, isSource);
    const path = `${folder}/validators/${unit.fileName}`;
    const from = schema === undefined ? [] : [schema.pointer];
    const text = context.render(isSource ? 'validator.ts' : 'validator.js', {
      imports: module.imports.map(({ from: file, names }) => ({
        names: new Code(names.join(', ')),
        from: file,
      })),
      text: new Code(module.text),
    });
    yield { path: isSource ? `${path}.ts` : `${path}.js`, text, from };
  }
  if (!isSource) {
    const validators = [...units.values()].flatMap(({ of: schema, functionName, fileName }) =>
      schema === undefined ? [] : { functionName, from: `../validators/${fileName}.js` },
    );
    for (const ending of endingsOf(context))
      yield toRuntime(folder, `validators.${ending}`, { validators }, context);
  }
  for (const ending of endingsOf(context))
    yield toRuntime(folder, `keywords.${ending}`, {}, context);
  yield* emitFormatExpressions(folder, context);
  const path = `${folder}/src/validation.ts`;
  yield { path, text: context.render('validation.ts', {}), from: [] };
}

/**
 * Returns the path in its package of the module that exports the validating function of a schema, for TypeScript. In a
 * package, one module exports all of them, so that one file declares their types.
 */
export function validatorModule(
  { fileName }: Pick<ValidatorUnit, 'fileName'>,
  { layout }: Pick<TargetContext, 'layout'>,
): string {
  return layout === 'folder' ? `validators/${fileName}.js` : 'runtime/validators.js';
}

/**
 * Links a module as soon as its function is compiled.
 * @throws TargetError with the place of a schema that cannot be compiled
 */
async function link(
  unit: ValidatorUnit,
  units: ReadonlyMap<string, ValidatorUnit>,
  compiling: CompilingUnits,
  isSource: boolean,
): Promise<ReturnType<typeof linkModule>> {
  try {
    return linkModule(unit, units, await compiling.get(unit), isSource);
  } catch (error) {
    throw unit.of === undefined ? error : toTargetError(error, unit.of.pointer);
  }
}

/** Emits the expressions that check formats, which `emitValidatorModules` emits, too. */
export function* emitFormatExpressions(
  folder: string,
  context: TargetContext,
): Generator<OutputFile> {
  for (const ending of endingsOf(context))
    yield toRuntime(folder, `formats.${ending}`, { formats: formatDeclarations() }, context);
}

/** Returns a declaration for every checked format: a regular expression, or an object that validates numbers. */
function formatDeclarations(): readonly object[] {
  return Array.from(formats, ([format, definition]) => {
    const name = identifier(formatMember(format));
    if (definition.type === 'string')
      return { name, value: new Code(definition.expression.toString()), type: new Code('RegExp') };
    const limit = code`2 ** ${definition.bits - 1}`;
    const inRange = code`value >= -(${limit}) && value < ${limit}`;
    const value = code`{ validate: (value) => Number.isInteger(value) && ${inRange} }`;
    return { name, value, type: new Code('{ validate(value: number): boolean }') };
  });
}

function endingsOf({ layout }: TargetContext): readonly string[] {
  return layout === 'folder' ? ['ts'] : ['js', 'd.ts'];
}

function toRuntime(
  folder: string,
  template: string,
  data: object,
  context: TargetContext,
): OutputFile {
  return { path: `${folder}/runtime/${template}`, text: context.render(template, data), from: [] };
}

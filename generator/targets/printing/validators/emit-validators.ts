import { formatMember, formats } from '../../../validators/formats.ts';
import { ValidatorCompiler } from '../../../validators/validator-compiler.ts';
import type { CompiledSchema } from '../../../validators/validator-code.ts';
import type { ValidatorPlan, ValidatorUnit } from '../../../validators/validator-units.ts';
import { toTargetError } from '../../target-error.ts';
import { Code, code } from '../../code.ts';
import { identifier } from '../../escape.ts';
import type { BuiltInContext } from '../../built-in-context.ts';
import type { OutputFile, TargetContext } from '../../target.ts';
import { byModule } from '../modules.ts';
import { helperSpecifier, linkModule } from './validator-modules.ts';
import { validatorPath } from './validator-path.ts';

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
 * Emits the modules of a package's compiled validators, the runtime functions that they call, and the module that
 * describes violations. The target needs the templates of the folder `validators`.
 * @param folder the folder of the package below the output folder
 * @param helpers the package that has those functions and that module, which are not emitted then
 */
export async function* emitValidatorModules(
  folder: string,
  units: ReadonlyMap<string, ValidatorUnit>,
  compiling: CompilingUnits,
  context: TargetContext,
  helpers?: string,
): AsyncGenerator<OutputFile> {
  const isSource = context.layout === 'folder';
  for (const [module, ofModule] of byModule(units.values())) {
    const compiled: (readonly [ValidatorUnit, CompiledSchema | undefined])[] = [];
    for (const unit of ofModule) compiled.push([unit, await compiling.get(unit)]);
    const path = validatorPath(module);
    const { imports, text } = link(compiled, units, isSource, helpers);
    const file = (ending: string, template: string, data: object): OutputFile => ({
      path: `${folder}/${path}.${ending}`,
      text: context.render(template, data),
      from: ofModule.flatMap(({ of: schema }) => schema?.pointer ?? []),
    });
    const keywords = helperSpecifier(path, helpers);
    const ending = isSource ? 'ts' : 'js';
    const code = file(ending, `validators.${ending}`, {
      keywords,
      imports: imports.map(({ from, names }) => ({ names: new Code(names.join(', ')), from })),
      text: new Code(text),
    });
    // Nobody reads them, and megabytes take the formatter seconds and 200 MB.
    yield { ...code, isFormatted: true };
    if (isSource) continue;
    const validators = ofModule.filter((unit) => unit.of !== undefined);
    yield { ...file('d.ts', 'validators.d.ts', { keywords, validators }), from: [] };
  }
  if (helpers !== undefined) return;
  yield* emitKeywords(folder, context);
  const path = `${folder}/src/validation.ts`;
  yield { path, text: context.render('validation.ts', {}), from: [] };
}

/** @throws TargetError with the place of a schema that cannot be compiled */
function link(
  compiled: readonly (readonly [ValidatorUnit, CompiledSchema | undefined])[],
  units: ReadonlyMap<string, ValidatorUnit>,
  isSource: boolean,
  helpers: string | undefined,
): ReturnType<typeof linkModule> {
  try {
    return linkModule(compiled, units, isSource, helpers);
  } catch (error) {
    const failed = compiled.find(([, result]) => result === undefined || 'failure' in result);
    const schema = failed?.[0].of;
    throw schema === undefined ? error : toTargetError(error, schema.pointer);
  }
}

/** Emits the module of what validators call: functions of keywords, and the checks of formats. */
export function* emitKeywords(folder: string, context: TargetContext): Generator<OutputFile> {
  const formats = formatDeclarations();
  for (const ending of context.layout === 'folder' ? ['ts'] : ['js', 'd.ts']) {
    const texts = [
      context.render(`keywords.${ending}`, {}),
      context.render(`formats.${ending}`, { formats }),
    ];
    yield { path: `${folder}/runtime/keywords.${ending}`, text: texts.join('\n'), from: [] };
  }
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

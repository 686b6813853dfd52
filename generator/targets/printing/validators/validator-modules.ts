import type { CompiledSchema, ValidatorCode } from '../../../validators/validator-code.ts';
import type { ValidatorUnit } from '../../../validators/validator-units.ts';
import { specifierOf } from '../modules.ts';
import { validatorPath } from './validator-path.ts';

/** A module with validating functions. */
interface ValidatorModule {
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  /** Constants and the exported functions. */
  readonly text: string;
}

/**
 * Returns the specifier by which a module imports the functions that validators call.
 * @param helpers the package that has them; the package of the module, if it is left out
 */
export function helperSpecifier(path: string, helpers?: string): string {
  const file = 'runtime/keywords.js';
  return helpers === undefined ? specifierOf(path, file) : `${helpers}/${file}`;
}

/**
 * Links compiled functions into a module. Each of them and of their constants is without effects, so that a bundle with
 * one validator has only the schemas that it refers to. Modules of schemas that refer to one another import one another:
 * nothing is called before all are loaded.
 * @param typed whether functions are constants with a type, for TypeScript
 * @param helpers the package that has the functions that validators call. Default: the package of the module
 * @throws TypeError for a schema that could not be compiled
 */
export function linkModule(
  units: readonly (readonly [ValidatorUnit, CompiledSchema | undefined])[],
  all: ReadonlyMap<string, ValidatorUnit>,
  typed: boolean,
  helpers?: string,
): ValidatorModule {
  const helperNames = new Set<string>();
  const called = new Map<string, Set<string>>();
  const constants = new Map<string, string>();
  const own = validatorPath(units[0]?.[0].module);
  const functions = units.map(([unit, compiled]) => {
    if (compiled === undefined || 'failure' in compiled) {
      const why = compiled?.failure ?? 'it was not compiled';
      throw new TypeError(`The schema "${unit.name}" cannot be compiled: ${why}`);
    }
    const { constants: ofSchema, schemas, runtime, formats } = compiled.code;
    for (const { name, text } of ofSchema) constants.set(name, text);
    for (const name of [...runtime, ...formats]) helperNames.add(name);
    for (const name of schemas) {
      const other = all.get(name);
      if (other === undefined) throw new TypeError(`The contract has no schema "${name}".`);
      if (other.module === unit.module) continue;
      const from = specifierOf(own, `${validatorPath(other.module)}.js`);
      called.set(from, (called.get(from) ?? new Set()).add(other.functionName));
    }
    return `export ${declare(compiled.code, typed)}`;
  });
  return {
    imports: [
      { from: helperSpecifier(own, helpers), names: [...helperNames].toSorted() },
      ...Array.from(called, ([from, names]) => ({ from, names: [...names].toSorted() })).toSorted(
        (a, b) => (a.from < b.from ? -1 : 1),
      ),
    ].filter(({ names }) => names.length > 0),
    text: [
      ...Array.from(constants, ([name, text]) => `const ${name} = ${text};`),
      ...functions,
    ].join('\n'),
  };
}

/**
 * Declares a function. What it has evaluated becomes part of its value, because bundlers keep every assignment of a
 * module.
 */
function declare({ name, text, evaluated }: ValidatorCode, typed: boolean): string {
  const type = typed ? ': Check' : '';
  if (evaluated !== undefined)
    return `const ${name}${type} = /*@__PURE__*/ Object.assign(${text}, { evaluated: ${evaluated} });`;
  return typed ? `const ${name}${type} = ${text};` : text;
}

import type { CompiledSchema } from '../../../validators/validator-code.ts';
import type { ValidatorUnit } from '../../../validators/validator-units.ts';

/** A module with one validating function. */
interface ValidatorModule {
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  /** Constants and the exported function. */
  readonly text: string;
}

/**
 * Links a compiled function into a separate module, so that importing one validator loads only the schemas that it
 * refers to. Modules of schemas that refer to one another import one another: nothing is called before all are loaded.
 * @param typed whether the function is a constant with a type, for TypeScript
 * @throws TypeError for a schema that could not be compiled
 */
export function linkModule(
  unit: ValidatorUnit,
  units: ReadonlyMap<string, ValidatorUnit>,
  compiled: CompiledSchema | undefined,
  typed: boolean,
): ValidatorModule {
  if (compiled === undefined || 'failure' in compiled) {
    const why = compiled?.failure ?? 'it was not compiled';
    throw new TypeError(`The schema "${unit.name}" cannot be compiled: ${why}`);
  }
  const { parts, schemas, runtime, formats } = compiled.code;
  const called = [...new Set(schemas)].filter((name) => name !== unit.name);
  const imports = called.map((name) => {
    const { fileName, functionName } = units.get(name) ?? {};
    if (fileName === undefined || functionName === undefined)
      throw new TypeError(`The contract has no schema "${name}".`);
    return { from: `./${fileName}.js`, names: [functionName] };
  });
  const constants = new Map<string, string>();
  const body = parts.map((part) => {
    if (typeof part === 'string') return part;
    const { prefix, text } = part;
    const count = [...constants.values()].filter((name) => name.startsWith(prefix)).length;
    const name = constants.get(text) ?? `${prefix}${count + 1}`;
    constants.set(text, name);
    return name;
  });
  const declaration = typed ? toConstant(unit.functionName, body.join('')) : body.join('');
  const declared = Array.from(constants, ([text, name]) => `const ${name} = ${text};`);
  return {
    imports: [
      { from: '../runtime/formats.js', names: [...new Set(formats)].toSorted() },
      { from: '../runtime/keywords.js', names: [...new Set(runtime)].toSorted() },
      ...imports.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    ].filter(({ names }) => names.length > 0),
    text: [...declared, `export ${declaration}`].join('\n'),
  };
}

/**
 * Returns a function as a constant with a type. What the function has evaluated becomes part of its value, because
 * bundlers keep every assignment of a module.
 */
function toConstant(name: string, text: string): string {
  const assignment = `\n${name}.evaluated = `;
  const at = text.lastIndexOf(assignment);
  if (at < 0) return `const ${name}: Check = ${text};`;
  const evaluated = text.slice(at + assignment.length).replace(/;\s*$/u, '');
  return `const ${name}: Check = /* @__PURE__ */ Object.assign(${text.slice(0, at).replace(/;\s*$/u, '')}, { evaluated: ${evaluated} });`;
}

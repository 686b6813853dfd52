import type { CompiledSchema, ValidatorCode } from '../../../schema/validator-code.ts';
import type { ValidatorUnit } from '../../../schema/validator-units.ts';
import type { SchemaGroup } from './schema-groups.ts';

/** A module of validating functions: one for each schema of its group. */
export interface ValidatorModule {
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  /** Constants and exported functions. */
  readonly text: string;
}

/**
 * Creates the function that links compiled functions into modules, one for each group of schemas. Importing one
 * validator loads only the schemas that it refers to.
 * @param typed whether each function is a constant with a type, for TypeScript
 * @throws TypeError for a schema that could not be compiled
 */
export function createLinker(
  units: ReadonlyMap<string, ValidatorUnit>,
  groups: readonly SchemaGroup<ValidatorUnit>[],
  typed = false,
): (
  group: SchemaGroup<ValidatorUnit>,
  functions: ReadonlyMap<ValidatorUnit, CompiledSchema>,
) => ValidatorModule {
  const fileOf = new Map(
    groups.flatMap(({ fileName, schemas }) => schemas.map(({ name }) => [name, fileName])),
  );
  return (group, functions) => {
    const module = new ModuleBuilder();
    const texts = group.schemas.map((unit) => {
      const compiled = functions.get(unit);
      if (compiled === undefined || 'failure' in compiled) {
        const why = compiled?.failure ?? 'it was not compiled';
        throw new TypeError(`The schema "${unit.name}" cannot be compiled: ${why}`);
      }
      for (const name of compiled.code.schemas) {
        const file = fileOf.get(name);
        const { functionName } = units.get(name) ?? {};
        if (file === undefined || functionName === undefined)
          throw new TypeError(`The contract has no schema "${name}".`);
        if (file !== group.fileName) module.import(`./${file}.js`, functionName);
      }
      const text = module.link(compiled.code);
      return typed ? `export const ${unit.functionName}: Check = ${text};` : `export ${text}`;
    });
    return { imports: module.imports(), text: [...module.constants(), ...texts].join('\n') };
  };
}

/** Collects the imports and constants that the functions of one module share. */
class ModuleBuilder {
  readonly #imports = new Map<string, Set<string>>();
  readonly #constants = new Map<string, string>();

  /** Returns the text of a function in this module. */
  link({ parts, runtime, formats }: ValidatorCode): string {
    for (const name of runtime) this.import('../runtime/keywords.js', name);
    for (const name of formats) this.import('../runtime/formats.js', name);
    return parts
      .map((part) => (typeof part === 'string' ? part : this.#constant(part.prefix, part.text)))
      .join('');
  }

  import(from: string, name: string): void {
    const names = this.#imports.get(from);
    if (names === undefined) this.#imports.set(from, new Set([name]));
    else names.add(name);
  }

  #constant(prefix: string, text: string): string {
    const known = this.#constants.get(text);
    if (known !== undefined) return known;
    const count = [...this.#constants.values()].filter((name) => name.startsWith(prefix)).length;
    const name = `${prefix}${count + 1}`;
    this.#constants.set(text, name);
    return name;
  }

  imports(): ValidatorModule['imports'] {
    return [...this.#imports]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => ({ from, names: [...names].toSorted() }));
  }

  constants(): readonly string[] {
    return [...this.#constants].map(([text, name]) => `const ${name} = ${text};`);
  }
}

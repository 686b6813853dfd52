import type { CompiledSchema } from './compile-validators.ts';
import { relink, type LinkTarget } from './relink.ts';
import type { SchemaGroup } from './schema-groups.ts';
import type { ValidatorUnit } from './validator-units.ts';
import { linkPrinted, type PrintedValidator } from './validator-writer.ts';

/** The validating functions of schemas, by name, as printed here or compiled by Ajv. */
export type ValidatorFunctions = ReadonlyMap<string, PrintedValidator | CompiledSchema>;

/** A module of validating functions: one for each schema of its group. */
export interface ValidatorModule {
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  /** Constants and exported functions. */
  readonly text: string;
}

/**
 * Links compiled functions into modules, one for each group of schemas, so that importing one validator brings no byte
 * of a schema that it does not refer to. With `typed`, each is a constant that says its type, for TypeScript. Throws a TypeError where a `require` would be left.
 */
export function createLinker(
  units: ReadonlyMap<string, ValidatorUnit>,
  groups: readonly SchemaGroup<ValidatorUnit>[],
  typed = false,
): (group: SchemaGroup<ValidatorUnit>, functions: ValidatorFunctions) => ValidatorModule {
  const fileOf = new Map(
    groups.flatMap(({ fileName, schemas }) => schemas.map(({ name }) => [name, fileName])),
  );
  return (group, functions) => {
    const module = new ModuleUnderConstruction((schemaName) => {
      const target = units.get(schemaName)?.functionName;
      const file = fileOf.get(schemaName);
      if (file === undefined || target === undefined)
        throw new TypeError(`The contract has no schema "${schemaName}".`);
      return { name: target, from: file === group.fileName ? undefined : `./${file}.js` };
    });
    const texts = group.schemas.map(({ name }) => {
      const found = functions.get(name);
      if (found === undefined) throw new TypeError(`The schema "${name}" was not compiled.`);
      const text = 'parts' in found ? linkPrinted(found, module) : linkCompiled(found, module);
      return typed
        ? `export const ${units.get(name)?.functionName}: Check = ${text};`
        : `export ${text}`;
    });
    const text = [...module.constants(), ...texts].join('\n');
    return { imports: module.imports(), text };
  };
}

function linkCompiled({ text, names }: CompiledSchema, module: LinkTarget): string {
  return relink(text, new Map(names.map((free) => [free.name, free] as const)), module);
}

/** Collects what the functions of one module share. */
class ModuleUnderConstruction implements LinkTarget {
  readonly #imports = new Map<string, Set<string>>();
  readonly #constants = new Map<string, string>();
  readonly #find: (schemaName: string) => FoundValidator;

  constructor(find: (schemaName: string) => FoundValidator) {
    this.#find = find;
  }

  validator(schemaName: string): string {
    const { name, from } = this.#find(schemaName);
    return from === undefined ? name : this.import(from, name);
  }

  import(from: string, name: string): string {
    const names = this.#imports.get(from);
    if (names === undefined) this.#imports.set(from, new Set([name]));
    else names.add(name);
    return name;
  }

  constant(prefix: string, text: string): string {
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

/** A function, and the module that it is imported from, unless it stands in the same. */
interface FoundValidator {
  readonly name: string;
  readonly from: string | undefined;
}

import type { JsonObject } from '../json/json.ts';
import { createAjvPrinter } from './ajv.ts';
import type { CompiledSchema } from './validator-code.ts';

/** Everything that determines the function of a schema. */
export interface CompileTask {
  readonly schema: JsonObject;
  readonly functionName: string;
  /** The functions of the schemas that it refers to. */
  readonly references: readonly (readonly [schemaName: string, functionName: string])[];
  /** Set for a function that is called at several places for the same value, and remembers its results. */
  readonly isRepeated?: true;
  /** Whether any schema of the contract uses `unevaluatedItems` or `unevaluatedProperties`. */
  readonly unevaluated: boolean;
}

/** Creates the function that compiles a schema. For a schema that cannot be compiled, it returns the failure. */
export function createTaskCompiler(): (task: CompileTask) => CompiledSchema {
  const printers = new Map<boolean, ReturnType<typeof createAjvPrinter>>();
  return ({ schema, functionName, references, isRepeated = false, unevaluated }) => {
    const print = printers.get(unevaluated) ?? createAjvPrinter(unevaluated);
    printers.set(unevaluated, print);
    const names = new Map(references);
    const nameOf = (name: string): string => {
      const reference = names.get(name);
      if (reference !== undefined) return reference;
      throw new TypeError(`The contract has no schema "${name}".`);
    };
    try {
      return { code: print(schema, { name: functionName, nameOf, isRepeated }) };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      return { failure, isTooDeep: error instanceof RangeError };
    }
  };
}

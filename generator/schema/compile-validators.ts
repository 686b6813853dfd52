import type { JsonObject } from '../json.ts';
import { createAjvPrinter } from './ajv.ts';
import { rewriteAjvOutput } from './rewrite-ajv-output.ts';
import type { CompiledSchema } from './validator-code.ts';

/** A schema, the name of its function, and the names of the functions of the schemas that it refers to. */
export interface CompileTask {
  readonly schema: JsonObject;
  readonly functionName: string;
  readonly references: readonly (readonly [schemaName: string, functionName: string])[];
}

/**
 * Compiles each schema to one function, in the order given. A schema that cannot be compiled yields its failure.
 * @param unevaluated whether any schema of the contract uses `unevaluatedItems` or `unevaluatedProperties`
 */
export function* compileValidators(
  tasks: Iterable<CompileTask>,
  unevaluated: boolean,
): Generator<CompiledSchema> {
  const print = createAjvPrinter(unevaluated);
  for (const { schema, functionName, references } of tasks) {
    try {
      const names = new Map(references);
      const nameOf = (name: string): string => {
        const reference = names.get(name);
        if (reference !== undefined) return reference;
        throw new TypeError(`The contract has no schema "${name}".`);
      };
      yield { code: rewriteAjvOutput(print(schema), functionName, nameOf) };
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      yield { failure, isTooDeep: error instanceof RangeError };
    }
  }
}

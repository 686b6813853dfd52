import type { Contract } from '../../../contract/contract.ts';
import { compileInThreads } from './compile-in-threads.ts';
import { usesUnevaluated, type CompiledSchema } from './compile-validators.ts';
import { groupSchemas, type SchemaGroup } from './schema-groups.ts';
import { createLinker, type ValidatorModule } from './validator-modules.ts';
import { printValidator } from './print-validator.ts';
import { planValidators, type ValidatorUnit } from './validator-units.ts';
import type { PrintedValidator } from './validator-writer.ts';

type Group = SchemaGroup<ValidatorUnit>;

/** What the validators of a contract are made of. */
export interface ValidatorPlan {
  readonly units: ReadonlyMap<string, ValidatorUnit>;
  /** Set where schemas ask what others have looked at: then Ajv makes all functions. */
  readonly compiled: Promise<ReadonlyMap<string, CompiledSchema>> | undefined;
}

/** Divides a contract into what becomes a function, and begins with what other work need not wait for. */
export function planModules(contract: Contract): ValidatorPlan {
  const units = planValidators(contract);
  const schemas = [...units.values()];
  const compiled = usesUnevaluated(schemas) ? compileInThreads(schemas) : undefined;
  // Whoever awaits it is told of a failure; where other work fails first, nobody does.
  compiled?.catch(() => undefined);
  return { units, compiled };
}

/**
 * Makes the module of each group of schemas. A function is printed where its schema has the common keywords alone,
 * and compiled by Ajv elsewhere; which of the two cannot be told from it.
 */
export async function* makeModules(
  { units, compiled }: ValidatorPlan,
  typed: boolean,
): AsyncGenerator<{ readonly group: Group; readonly module: ValidatorModule }> {
  const groups = groupSchemas(units);
  const link = createLinker(units, groups, typed);
  if (compiled !== undefined) {
    const functions = await compiled;
    for (const group of groups) yield { group, module: link(group, functions) };
    return;
  }
  const nameOf = (name: string): string | undefined => units.get(name)?.functionName;
  const printed = new Map<string, PrintedValidator>();
  const left: ValidatorUnit[] = [];
  const unlinked: Group[] = [];
  for (const group of groups) {
    const missing = group.schemas.filter(({ name, schema }) => {
      const text = printValidator(name, schema, nameOf);
      if (text !== undefined) printed.set(name, text);
      return text === undefined;
    });
    if (missing.length > 0) {
      left.push(...missing);
      unlinked.push(group);
      continue;
    }
    yield { group, module: link(group, printed) };
    for (const { name } of group.schemas) printed.delete(name);
  }
  if (left.length === 0) return;
  const functions = new Map<string, PrintedValidator | CompiledSchema>(printed);
  for (const [name, compiledSchema] of await compileInThreads(left))
    functions.set(name, compiledSchema);
  for (const group of unlinked) yield { group, module: link(group, functions) };
}

import type { Contract } from '../../contract/contract.ts';
import { memoize } from '../../execution/memoize.ts';
import {
  allFunctionsFile,
  allMethodsFile,
  deliveryContext,
  type FileStructure,
} from './handler-structures.ts';
import { planHandlers } from './plan-handlers.ts';
import { printStatements } from './print-statements.ts';

/** Stands for the name of a package in imports. */
const anyPackage = 'any-package';

/**
 * Prints the file with all handlers of a contract for one package. Packages differ in the name in the imports alone, so
 * the file is printed once for a contract.
 */
export function printHandlers(
  contract: Contract,
  as: 'functions' | 'providers',
  packageName: string,
): string {
  const { imports, declarations } =
    as === 'functions' ? printFunctions(contract) : printMethods(contract);
  return `${imports.replaceAll(`'${anyPackage}'`, `'${packageName}'`)}\n${declarations}`;
}

const printFunctions = memoize((contract: Contract) =>
  printParts(allFunctionsFile(planHandlers(contract, 'functions'), deliveryContext(anyPackage))),
);

const printMethods = memoize((contract: Contract) =>
  printParts(allMethodsFile(planHandlers(contract, 'providers'), deliveryContext(anyPackage))),
);

function printParts({ imports, declarations }: FileStructure): {
  readonly imports: string;
  readonly declarations: string;
} {
  return { imports: printStatements(imports), declarations: printStatements(declarations()) };
}

import type { Contract } from '../../contract/contract.ts';
import { memoize } from '../../execution/memoize.ts';
import { allFunctionsFile, allMethodsFile, deliveryContext } from './handler-structures.ts';
import { planHandlers } from './plan-handlers.ts';
import { printStatements } from './print-statements.ts';

/**
 * Prints the file with all handlers of a contract for one package. Packages differ in the imports alone, so the
 * handlers themselves are printed once for a contract.
 */
export function printHandlers(
  contract: Contract,
  as: 'functions' | 'providers',
  packageName: string,
): string {
  const toFile = as === 'functions' ? allFunctionsFile : allMethodsFile;
  const { imports } = toFile(planHandlers(contract, as), deliveryContext(packageName));
  const declarations = as === 'functions' ? printFunctions(contract) : printMethods(contract);
  return `${printStatements(imports)}\n${declarations}`;
}

const printFunctions = memoize((contract: Contract) =>
  printStatements(
    allFunctionsFile(planHandlers(contract, 'functions'), deliveryContext('')).declarations(),
  ),
);

const printMethods = memoize((contract: Contract) =>
  printStatements(
    allMethodsFile(planHandlers(contract, 'providers'), deliveryContext('')).declarations(),
  ),
);

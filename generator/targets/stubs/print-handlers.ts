import type { Contract } from '../../contract/contract.ts';
import { memoize } from '../../execution/memoize.ts';
import {
  allFunctions,
  allMethods,
  deliveryContext,
  type HandlersStructure,
} from './handler-structures.ts';
import { planHandlers } from './plan-handlers.ts';
import { printStatements } from './print-statements.ts';

/** All handlers of a contract as text, which is the same for every package that they are imported from. */
export interface PrintedHandlers {
  /** What they need of the package. */
  readonly names: readonly string[];
  readonly text: string;
}

/**
 * Prints all handlers of a contract. The text is printed once for all packages that have it: ts-morph takes most of the
 * time of these targets. It is code, so that it is no member of the contract.
 */
export function printHandlers(contract: Contract, as: 'functions' | 'providers'): PrintedHandlers {
  return as === 'functions' ? printFunctions(contract) : printMethods(contract);
}

// The structures contain no name of the package: each file has its own imports.
const context = deliveryContext('');

const printFunctions = memoize((contract: Contract) =>
  print(allFunctions(planHandlers(contract, 'functions'), context)),
);

const printMethods = memoize((contract: Contract) =>
  print(allMethods(planHandlers(contract, 'providers'), context)),
);

function print({ names, declarations }: HandlersStructure): PrintedHandlers {
  return { names, text: printStatements(declarations()) };
}

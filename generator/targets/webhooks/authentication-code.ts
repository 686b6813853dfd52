import type { Contract } from '../../contract/contract.ts';
import { code, type Code } from '../code.ts';
import { jsdoc } from '../jsdoc.ts';
import { describeCombination } from '../printing/certificate-code.ts';
import type { ProofModule } from '../printing/proofs/printer.ts';
import { proofPrinters } from '../printing/proofs/printers.ts';

/** The modules with the strategies of authentication that a contract states for its notifications. */
export interface AuthenticationCode {
  /** The data of each module, by the name of its file. */
  readonly modules: ReadonlyMap<string, object>;
  /** What the package exports of them. */
  readonly exports: readonly Code[];
  /** The functions that create signers for tests, with their modules. */
  readonly signers: readonly { readonly signer: string; readonly from: string }[];
}

/** Describes the strategies of a contract for the modules of its receiver. */
export function describeAuthentication(contract: Contract): AuthenticationCode {
  const modules = [
    ...proofPrinters.map((printer) => printer.module(contract)),
    describeCombined(contract),
  ];
  const byFile = Map.groupBy(modules, ({ file }) => file);
  return {
    modules: new Map(
      [...byFile]
        .filter(([, parts]) => parts.some(({ isUsed }) => isUsed))
        .map(([file, parts]) => [
          file,
          Object.assign({}, ...parts.map(({ data }) => data)) as object,
        ]),
    ),
    exports: modules.flatMap(({ exports }) => exports),
    signers: modules.flatMap(({ file, signers }) =>
      signers.map((signer) => ({ signer, from: `./${file}` })),
    ),
  };
}

/** Describes the function that combines strategies as the contract does. */
function describeCombined(contract: Contract): ProofModule {
  const combination = describeCombination(contract);
  const combined = combination && {
    ...combination,
    about: jsdoc({
      summary: `Combines strategies as the contract does for every notification: ${combination.stated}.`,
    }),
  };
  return {
    file: 'authentication.ts',
    data: { combined },
    isUsed: combined !== undefined,
    exports:
      combined === undefined ? [] : [code`export { combineAsStated } from './authentication.ts';`],
    signers: [],
  };
}

import type { Contract } from 'countersign/kit';
import type { SignatureForms } from './signatures.ts';

/** What the questions about a contract depend on. */
export interface ContractFacts {
  readonly contract: Contract;
  /** Whether nothing in the contract tells some of its notifications apart. */
  readonly isIndistinct: boolean;
  readonly forms: SignatureForms;
  readonly folder: FolderFacts;
}

/** What `init` finds in the folder of a project. */
export interface FolderFacts {
  /** The npm scope of the name in its package.json. */
  readonly scope?: string;
  /** The names of the packages that its package.json lists; `undefined` without a package.json. */
  readonly packages?: ReadonlySet<string>;
  /** Whether its files are ES modules. */
  readonly isModule: boolean;
  readonly hasSources: boolean;
  /** Whether it has the configuration of a compiler. */
  readonly hasCompiler: boolean;
  /** Whether its compiler accepts imports that end in `.ts`, or it has none. */
  readonly takesTsImports: boolean;
}

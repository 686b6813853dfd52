/** Limits on the size of a contract. A larger contract is rejected, so that a hostile one fails within seconds. */
export interface Budgets {
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** Bytes of all files together. */
  readonly maxTotalBytes: number;
  /** Values of one file, or of one bundled document, with every alias expanded. */
  readonly maxNodes: number;
  /** Nested objects and arrays, in a file or in a bundled document. */
  readonly maxDepth: number;
  /** YAML aliases of one file. */
  readonly maxAliases: number;
  /** Values of one `enum`. */
  readonly maxEnumerationValues: number;
}

/**
 * The default limits. They suffice for all but the very largest published APIs; a larger contract is most often a
 * mistake or an attack.
 */
export const defaultBudgets: Budgets = {
  maxFileBytes: 32 * 1024 * 1024,
  maxTotalBytes: 64 * 1024 * 1024,
  maxNodes: 1_000_000,
  maxDepth: 200,
  maxAliases: 10_000,
  maxEnumerationValues: 20_000,
};

/** Limits on the size of a contract. A larger contract is rejected, so that a hostile one fails within seconds. */
export interface Budgets {
  /** Bytes of one file. */
  readonly bytesPerFile: number;
  /** Bytes of all files together. */
  readonly bytes: number;
  /** Values of one file, or of one bundled document, with every alias expanded. */
  readonly nodes: number;
  /** Nested objects and arrays, in a file or in a bundled document. */
  readonly depth: number;
  /** YAML aliases of one file. */
  readonly aliases: number;
  /** Values of one `enum`. */
  readonly enumerationValues: number;
}

/**
 * The default limits. They suffice for all but the very largest published APIs; a larger contract is most often a
 * mistake or an attack.
 */
export const defaultBudgets: Budgets = {
  bytesPerFile: 32 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  nodes: 1_000_000,
  depth: 200,
  aliases: 10_000,
  enumerationValues: 20_000,
};

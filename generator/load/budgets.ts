/** How much of each thing a contract may have before it is refused, so that a hostile one ends in seconds. */
export interface Budgets {
  /** Bytes of one file. */
  readonly bytesPerFile: number;
  /** Bytes of all files together. */
  readonly bytes: number;
  /** Values of one file, or of one bundled document, with every alias written out. */
  readonly nodes: number;
  /** Collections within collections, in a file or in a bundled document. */
  readonly depth: number;
  /** YAML aliases of one file. */
  readonly aliases: number;
  /** Values of one `enum`. */
  readonly enumerationValues: number;
}

/** Ample for all but the very largest of published APIs; a contract beyond them is most often a mistake or an attack. */
export const defaultBudgets: Budgets = {
  bytesPerFile: 32 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  nodes: 1_000_000,
  depth: 200,
  aliases: 10_000,
  enumerationValues: 20_000,
};

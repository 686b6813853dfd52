/** The files of a contract. Paths are relative to the configuration file; at least one document is required. */

export interface ContractFiles {
  readonly openapi?: string;
  readonly asyncapi?: string;
  /** OpenAPI Overlay 1.0 and 1.1 files, applied in this order after bundling. */
  readonly overlays?: readonly string[];
  /** Arazzo 1.0 or 1.1 documents, whose workflows use the operations and channels of the other documents. */
  readonly workflows?: readonly string[];
  /** The folder that references must not leave; by default, the deepest folder that contains all of these files. */
  readonly folder?: string;
}

/** Returns every file that a contract names. */
export function namedFiles({
  openapi,
  asyncapi,
  overlays = [],
  workflows = [],
}: ContractFiles): readonly string[] {
  return [openapi, asyncapi, ...overlays, ...workflows].filter((file) => file !== undefined);
}

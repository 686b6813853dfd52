/** The files of a contract. Paths are relative to the configuration file; at least one document is required. */

export interface ContractFiles {
  readonly openapi?: string;
  readonly asyncapi?: string;
  /** OpenAPI Overlay 1.0 files, applied in this order after bundling. */
  readonly overlays?: readonly string[];
  /** The folder that references must not leave; by default, the deepest folder that contains all of these files. */
  readonly folder?: string;
}

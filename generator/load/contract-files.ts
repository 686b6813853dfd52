/** Which files make up a contract. Paths are relative to the configuration file; at least one document is needed. */

export interface ContractFiles {
  readonly openapi?: string;
  readonly asyncapi?: string;
  /** OpenAPI Overlay 1.0 files, applied in this order after bundling. */
  readonly overlays?: readonly string[];
  /** The folder that no reference leads out of; default: the one with all of these files. */
  readonly folder?: string;
}

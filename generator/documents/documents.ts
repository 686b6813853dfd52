import type { Diagnostic, Location } from '../diagnostics/diagnostic.ts';
import type { Json, JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';

/** A bundled document of the contract: every `$ref` is local, and every overlay is applied. */
export interface LoadedDocument {
  /** The version that `root` follows, such as `3.1.2`. A document of AsyncAPI 2 is converted to `3.0.0`. */
  readonly version: string;
  /** The entry file, relative to the configuration file's folder. */
  readonly file: string;
  readonly root: JsonObject;
}

/** An action that a choice of an open ledger entry would apply to the documents if it were settled. */
export interface PendingAction {
  /** The id of the entry. */
  readonly id: string;
  readonly choice: string;
  /** The places that the action's target selects. */
  readonly targets: readonly Pointer[];
  /** What the action merges into the targets; left out where it removes them. */
  readonly update?: Json;
}

/** The Arazzo documents of a contract. */
export interface LoadedWorkflows {
  /** The documents by name, which is the name of their file without extension. */
  readonly root: JsonObject;
  /**
   * For each document, the place that each of its source descriptions names: the root of another document of the
   * contract, such as `openapi#` or `workflows#/charges`.
   */
  readonly sources: ReadonlyMap<string, ReadonlyMap<string, Pointer>>;
}

/** A file that was read, for code frames and for detecting changes. */
export interface SourceFile {
  /** Relative to the configuration file's folder, with `/` on every system. */
  readonly path: string;
  /** The text with LF line ends and without a byte order mark, whatever the file has. */
  readonly text: string;
}

/**
 * The result of `load` and the input of `lower`. A document that could not be bundled is left out, and `diagnostics`
 * then contain errors.
 */
export interface Documents {
  readonly openapi?: LoadedDocument;
  readonly asyncapi?: LoadedDocument;
  /** Left out where the contract names no Arazzo document, or none that is valid. */
  readonly workflows?: LoadedWorkflows;
  /** Every file that was read, ordered by path in code units. */
  readonly files: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** The places that the actions of settled ledger entries wrote or removed, by the id of the entry. */
  readonly answerPlaces?: ReadonlyMap<string, readonly Pointer[]>;
  /** The actions of open ledger entries, in the ledger's order. */
  readonly pendingActions?: readonly PendingAction[];
  /**
   * Returns where a place of a bundled document is written: in the entry file, a referenced file or an overlay. For a
   * member that the toolkit added, returns the location of its nearest written parent.
   */
  locate(pointer: Pointer): Location;
  /**
   * Returns the same place as the file and a JSON Pointer in it, such as `openapi.yaml#/paths/~1token`, or the file alone
   * for its root. Unlike a line, it stays the same when other parts of the file change. `undefined` if the document could
   * not be loaded.
   */
  cite(pointer: Pointer): string | undefined;
}

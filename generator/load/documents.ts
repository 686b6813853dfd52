import type { Diagnostic, Location } from '../diagnostics/diagnostic.ts';
import type { JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';

/** A document of the contract, bundled: every `$ref` in it is local, every overlay is applied. */
export interface LoadedDocument {
  /** The version the document declares, such as `3.1.2`. */
  readonly version: string;
  /** The entry file, relative to the configuration file's folder. */
  readonly file: string;
  readonly root: JsonObject;
}

/** A file that was read, for code frames and for telling whether anything changed. */
export interface SourceFile {
  /** Relative to the configuration file's folder, with `/` on every system. */
  readonly path: string;
  /** Line ends are LF, whatever the disk has; a byte order mark is gone. */
  readonly text: string;
}

/** What `load` hands to `lower`. With errors in `diagnostics`, a document that could not be bundled is left out. */
export interface Documents {
  readonly openapi?: LoadedDocument;
  readonly asyncapi?: LoadedDocument;
  /** Every file that was read, ordered by path in code units. */
  readonly files: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Where a place of a bundled document was written: in the entry file, a referenced file or an overlay.
   * A member that was added by the toolkit answers with its nearest written parent.
   */
  locate(pointer: Pointer): Location;
}

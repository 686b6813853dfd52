/**
 * Names a part of a contract. Each entry is a name or a pattern: `*` stands for any text and everything else for itself;
 * in a path, `*` ends at a `/` and `**` does not.
 */

export interface Selection {
  /** Path templates, such as `/books/**`, of calls and of notifications that have one. */
  readonly paths?: readonly string[];
  /** Tags of calls and of notifications. */
  readonly tags?: readonly string[];
  /** An operationId, or method and path as in `get /books/{id}`. */
  readonly operations?: readonly string[];
  /** Kinds of notifications. */
  readonly events?: readonly string[];
}

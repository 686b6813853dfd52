/**
 * Names a part of a contract. Each entry is a name or a pattern: `*` matches any text, and all other characters match
 * themselves. In a path, `*` matches no `/`, and `**` does.
 */
export interface Selection {
  /** Path templates, such as `/books/**`, of operations and of notifications that have one. */
  readonly paths?: readonly string[];
  /** Tags of operations and of notifications. */
  readonly tags?: readonly string[];
  /** An operationId, or method and path as in `get /books/{id}`. */
  readonly operations?: readonly string[];
  /** Kinds of notifications. */
  readonly events?: readonly string[];
}

/** The severity of every change of one kind, instead of the one that `countersign diff` gives it. */
export interface DiffSeverity {
  /** The code of the change, such as `enum-value-added`, which `diff` prints. */
  readonly code: string;
  readonly severity: 'breaking' | 'compatible';
  /** The reason, which `diff` prints in place of the effects. */
  readonly reason: string;
}

/** Settings of `countersign diff`. They do not affect generated code. */
export interface DiffSettings {
  readonly severities?: readonly DiffSeverity[];
}

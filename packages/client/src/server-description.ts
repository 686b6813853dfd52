/** A server that the contract describes. */
export interface ServerDescription {
  /** The URL as the contract states it: variables are in braces, and it may be relative. */
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
  /** Set where the contract leaves open which address the server has. Then an option has to state it. */
  readonly isOpen?: true;
}

/** A variable in the URL of a server. */
export interface ServerVariable {
  readonly default?: string;
  /** The allowed values. Default: any. */
  readonly enum?: readonly string[];
}

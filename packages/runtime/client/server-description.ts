/** The servers that a contract describes. */
export interface Servers {
  /** The server of operations that do not have one. Without it, the client requires `baseUrl`. */
  readonly root?: ServerDescription;
  /** The servers of single operations, by the names that `baseUrls` uses. */
  readonly ofOperations?: Readonly<Record<string, ServerDescription>>;
  /** `false` where each operation has its own server: only `request()` then needs `baseUrl`. Default: true. */
  readonly isRootUsed?: boolean;
}

/** A server that the contract describes. */
export interface ServerDescription {
  /** The URL as the contract states it: variables are in braces, and it may be relative. */
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
  /** Set where the contract leaves open which address the server has. Then an option has to state it. */
  readonly isOpen?: true;
  /** Set for an address that credentials are exchanged at: it uses TLS, except on this machine. */
  readonly requiresTls?: true;
}

/** A variable in the URL of a server. */
export interface ServerVariable {
  readonly default?: string;
  /** The allowed values. Default: any. */
  readonly enum?: readonly string[];
}

/** Returns every value of the header with this lower-case name, in order, or an empty array. */
export type HeaderLookup = (name: string) => readonly string[];

/** The parts of a request that can be signed, exactly as they are sent. */
export interface SignableRequest {
  /** In upper case. */
  readonly method: string;
  /**
   * The path and query as in the request line, or the absolute URL. A scheme that signs `$url` needs the absolute URL.
   */
  readonly url: string;
  /**
   * The path of the base address, such as `/api`, which a scheme with `$url.path-base` does not sign. Default: none. The
   * path of the URL has to begin with it.
   */
  readonly basePath?: string;
  /** The values of a header by its lower-case name. */
  readonly headers: HeaderLookup;
  /** The raw bytes that are sent; empty where the request has no body. */
  readonly body: Uint8Array;
}

/**
 * Creates a lookup in the headers of a `Request`. Fetch joins the values of a repeated header with commas. The lookup
 * therefore returns one value, which is usually malformed, and not several.
 */
export function fromHeaders(headers: {
  readonly get: (name: string) => string | null;
}): HeaderLookup {
  return (name) => {
    const value = headers.get(name);
    return value === null ? [] : [value];
  };
}

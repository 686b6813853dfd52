/** Every value of the header with this lower-case name, in order; an empty list where there is none. */
export type HeaderLookup = (name: string) => readonly string[];

/** What of a request can be signed, exactly as it travels. */
export interface SignableRequest {
  /** Upper case. */
  readonly method: string;
  /** The path and query as in the request line, or the whole URL; needed whole only where a scheme signs `$url`. */
  readonly url: string;
  readonly headers: HeaderLookup;
  /** The raw bytes that are sent; empty where there is no body. */
  readonly body: Uint8Array;
}

/**
 * A lookup in the headers of a `Request`. Fetch joins the values of a repeated header with commas before anybody
 * sees them, so repetition shows up as one malformed value and not as two.
 */
export function fromHeaders(headers: {
  readonly get: (name: string) => string | null;
}): HeaderLookup {
  return (name) => {
    const value = headers.get(name);
    return value === null ? [] : [value];
  };
}

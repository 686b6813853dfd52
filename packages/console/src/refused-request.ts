/** A refusal of a console, as the JSON of its response. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 500 | 503;
  readonly code: string;
  readonly message: string;
}

/** Carries a refusal from where it is decided to the response. No console throws it to its caller. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest' as const;
  readonly refusal: Refusal;

  constructor(status: Refusal['status'], code: string, message: string) {
    super(message);
    this.refusal = { status, code, message };
  }
}

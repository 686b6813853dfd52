/** The replacement for a credential. */
export const redacted = '[redacted]';

/** Replaces credentials and tokens in what is recorded: in plain, JSON-escaped, URL-encoded, form-encoded and Base64 form. */
export class Redactor {
  readonly #forms = new Set<string>();
  readonly #patterns = new Set<string>();
  #expression: RegExp | undefined;

  readonly #minLength: number;

  /** @param minLength the characters of the shortest secret that is replaced. Shorter ones would match by chance. */
  constructor(secrets: Iterable<string> = [], minLength = 4) {
    this.#minLength = Math.max(minLength, 1);
    for (const secret of secrets) this.add(secret);
  }

  /** Adds a secret. A secret below the minimum length is not replaced. */
  add(secret: string): void {
    if (secret.length < this.#minLength) return;
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      new URLSearchParams([['', secret]]).toString().slice(1),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ];
    const before = this.#forms.size;
    for (const form of forms) this.#forms.add(form);
    if (this.#forms.size > before) this.#expression = undefined;
  }

  /**
   * Adds secrets that a regular expression describes, such as all tokens of one issuer. One pattern stays fast where
   * thousands of secrets would not.
   */
  addPattern({ source }: RegExp): void {
    this.#patterns.add(source);
    this.#expression = undefined;
  }

  /** Returns the text without the secrets. */
  readonly redact = (text: string): string => {
    if (this.#forms.size + this.#patterns.size === 0) return text;
    this.#expression ??= new RegExp(
      [
        ...this.#patterns,
        ...[...this.#forms]
          .toSorted((a, b) => b.length - a.length)
          .map((form) => form.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`)),
      ].join('|'),
      'gu',
    );
    return text.replace(this.#expression, redacted);
  };
}

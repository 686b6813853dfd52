/** The replacement for a credential. */
export const redacted = '[redacted]';

/** Replaces credentials and tokens in what is recorded: in plain, JSON-escaped, URL-encoded, form-encoded and Base64 form. */
export class Redactor {
  readonly #forms = new Set<string>();
  readonly #patterns = new Set<string>();
  #expression: RegExp | undefined;

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  /** Adds a secret. Text shorter than four characters is not replaced: it would match by chance. */
  add(secret: string): void {
    if (secret.length < 4) return;
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
          .toSorted((one, other) => other.length - one.length)
          .map((form) => form.replaceAll(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`)),
      ].join('|'),
      'gu',
    );
    return text.replace(this.#expression, redacted);
  };
}

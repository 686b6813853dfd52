/** Thrown where no value can be made for a schema: none exists, or none within the limits. */
export class NoSample extends Error {
  override readonly name = 'NoSample';
  /** Whether the value had too many parts, so that another attempt takes as long and fails, too. */
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** Thrown where no value can be made for a schema: none exists, or none within the limits. */
export class NoSample extends Error {
  override readonly name = 'NoSample';
}

/** The error of a target that needs an npm package which is not installed. It concerns no part of the contract. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
  /** What to do, for the diagnostic. */
  readonly help = 'Install what the message names, or leave the target out.';
}

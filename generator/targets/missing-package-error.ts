/** The error of a target that needs an npm package which is not installed. It concerns no part of the contract. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';
  /** The packages to install, each as a name or as `name@range`. */
  readonly packages: readonly string[];
  /** What to do, for the diagnostic. */
  readonly help = 'Install what the message names, or leave the target out.';

  /** @param message states what is missing, without a full stop: the command that installs it follows */
  constructor(message: string, packages: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.packages = packages;
  }
}

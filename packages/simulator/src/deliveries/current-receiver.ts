import type { SimulatorContext } from '../context.ts';
import { systemResolve } from '../sending/loopback.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import { possibleSecrets, readReceiver, type Receiver } from '../sending/receiver.ts';

/** The receiver of a simulator, which can change. */
export class CurrentReceiver {
  readonly #context: SimulatorContext;
  #receiver: Receiver | undefined;
  #isClosed = false;

  /** @throws SimulatorError for an address of the options that cannot be used */
  constructor(context: SimulatorContext) {
    this.#context = context;
    this.set(context.options.to);
  }

  /** Its base address. */
  get href(): string | undefined {
    return this.#receiver?.base.href;
  }

  /** @throws SimulatorError for an address that cannot be used */
  set(to: string | URL | undefined): void {
    const { description, options, redactor } = this.#context;
    const { pathSecret } = options.authentication ?? {};
    this.#receiver =
      to === undefined
        ? undefined
        : readReceiver(to, options.allowRemote === true, systemResolve, pathSecret);
    const isInPath = description.security.some((scheme) => scheme.in === 'path');
    // Where the caller writes the secret into the address, any segment can be it.
    if (this.#receiver !== undefined && isInPath && pathSecret === undefined)
      for (const segment of possibleSecrets(this.#receiver.base)) redactor.add(segment);
  }

  /** @throws SimulatorError `no-receiver`, and `closed` */
  require(): Receiver {
    if (this.#isClosed) throw new SimulatorError('closed', 'The simulator is closed.');
    if (this.#receiver === undefined)
      throw new SimulatorError(
        'no-receiver',
        'The simulator has no receiver. Set its address (`to`, `--to`).',
      );
    return this.#receiver;
  }

  /** Refuses everything from now on. */
  close(): void {
    this.#isClosed = true;
  }
}

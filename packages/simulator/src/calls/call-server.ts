import type { CallEntry } from '../entry.ts';
import type { SimulatorContext } from '../context.ts';
import type { CheckedCall, Simulator } from '../simulator.ts';
import { SimulatorError } from '../simulator-error.ts';

/** A call that passed all checks, with its entry and the parsed body of the response. */
export interface AnsweredCall {
  readonly call: CheckedCall;
  readonly entry: CallEntry;
  readonly responseBody: unknown;
}

/** Answers the calls of an integrator over HTTP. */
export interface CallServer {
  /** The base URL of the service. */
  readonly url: string;
  readonly respond: Simulator['respond'];
  readonly revokeTokens: () => void;
  /** Calls `listener` after each call that passed all checks was answered. Returns a function that ends it. */
  readonly onCall: (listener: (call: AnsweredCall) => void) => () => void;
  readonly close: () => Promise<void>;
}

/** Starts to answer calls. */
export async function startCallServer(context: SimulatorContext): Promise<CallServer> {
  throw new SimulatorError('closed', `Not built yet: ${context.description.title}`);
}

import type { CheckStep } from '../entry.ts';
import type { ReceivedCall } from './received-call.ts';

/** Checks a call against one security scheme. */
export interface SchemeCheck {
  /** The position in the fixed order of all checks. */
  readonly rank: number;
  /** Whether the call carries the scheme's credential, right or wrong. */
  readonly isPresent: (call: ReceivedCall) => boolean;
  readonly check: (call: ReceivedCall) => readonly CheckStep[] | Promise<readonly CheckStep[]>;
  /** The challenge of a refusal (RFC 9110, section 11.6.1). */
  readonly challenge?: string;
}

/** Creates a step that passed. */
export function passed(name: CheckStep['name'], message: string): CheckStep {
  return { name, outcome: 'passed', message };
}

/** Creates a step that failed. */
export function failed(
  name: CheckStep['name'],
  code: string,
  message: string,
  fix: string,
): CheckStep {
  return { name, outcome: 'failed', code, message, fix };
}

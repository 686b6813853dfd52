import type { Input, Alternatives, ParameterDescription } from './operation.ts';
import type { Authoriser } from './security.ts';
import { writeTime, type TimeFormat } from './time.ts';

/** What a contract says about every call, with the credentials and answers of one client in it. */
export interface Service {
  readonly everyRequest: readonly EveryRequestValue[];
  /** Security schemes by name. */
  readonly schemes: Readonly<Record<string, Authoriser>>;
  /** What authorises a call that says nothing else. */
  readonly security: Alternatives;
  /** What operations are given where the caller gives nothing, by operation id: credentials. */
  readonly inputs?: Readonly<Record<string, Input>>;
  /** Whether operations may be repeated, by operation id, where an option of the client decides it. */
  readonly repeatable?: Readonly<Record<string, boolean>>;
}

/** A parameter whose value is made for every call. */
export interface EveryRequestValue extends ParameterDescription {
  readonly value: 'uuid' | 'timestamp';
  /** Whether a retry sends the same value again. */
  readonly retry: 'keep' | 'renew';
  /** How a timestamp is written. */
  readonly format?: TimeFormat;
}

/** Makes the values of one attempt; `kept` is the call's, and remembers those that a retry repeats. */
export function makeValues(
  values: readonly EveryRequestValue[],
  input: Input,
  kept: Map<string, string>,
  now: number,
  uuid: () => string,
): Input {
  const made: Record<string, Record<string, unknown>> = {};
  for (const { in: place, name, value, retry, format } of values) {
    const group = (made[place] ??= { ...input[place] });
    if (value === 'timestamp') group[name] = writeTime(now, format);
    else {
      // One that the caller gave stays the same however often the call is tried.
      const given = group[name] ?? kept.get(name) ?? uuid();
      group[name] = given;
      if (retry === 'keep' && typeof given === 'string') kept.set(name, given);
    }
  }
  return { ...input, ...made };
}

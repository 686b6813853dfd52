import type { InvalidDelivery } from './event.ts';
import type { Identified, Refused } from './identify.ts';

/** Creates what `onInvalid` gets. */
export function toInvalidDelivery({
  identification,
  text,
  data,
}: {
  readonly identification: Refused;
  readonly text: string;
  readonly data: unknown;
}): InvalidDelivery {
  const events = identification.events.map((event) => ({
    index: event.index,
    event: toEvent(event, identification.form),
  }));
  return { ...identification.invalid, text, data, events };
}

/** Creates the event that a handler gets. */
export function toEvent({ name, kinds, data, bySchema }: Identified, form: string): object {
  if (bySchema === true)
    return { kind: name, ambiguous: false, form, recognizedBy: 'schema', data };
  return kinds.length > 1
    ? { kind: name, ambiguous: true, kinds, form, data }
    : { kind: name, ambiguous: false, form, data };
}

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
  const ambiguous = kinds.length > 1;
  return {
    kind: name,
    ambiguous,
    ...(ambiguous && { kinds }),
    form,
    ...(bySchema && { recognizedBy: 'schema' }),
    data,
  };
}

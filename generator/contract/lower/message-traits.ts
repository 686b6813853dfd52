import type { Parameter } from '../contract.ts';
import { child, follow, items, type Cursor } from '../../json/cursor.ts';
import { lowerHeaderSchema, type Lowering } from './parameters.ts';

/** A message and what its traits add to it; a trait gives way to the message, and to those behind it (AsyncAPI 3.0, "Traits Merge Mechanism"). */
export function withTraits(message: Cursor): readonly Cursor[] {
  return [message, ...items(child(message, 'traits')).map(follow).toReversed()];
}

/** The headers of a message, those of its traits behind its own. */
export function lowerMessageHeaders(message: Cursor, lowering: Lowering): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const part of withTraits(message)) {
    const headers = child(part, 'headers');
    if (headers.value === undefined) continue;
    for (const header of lowerHeaderSchema(headers, lowering)) {
      const name = header.name.toLowerCase();
      if (!found.has(name)) found.set(name, header);
    }
  }
  return [...found.values()];
}

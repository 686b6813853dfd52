import type { Parameter } from '../contract.ts';
import { child, follow, items, type Cursor } from '../../json/cursor.ts';
import type { LoweringContext } from './lowering-context.ts';
import { lowerHeaderSchema } from './parameters.ts';

/**
 * Returns a message, followed by its traits, the last one first. The message takes precedence over its traits, and a
 * later trait over an earlier one (AsyncAPI 3.0, "Traits Merge Mechanism").
 */
export function withTraits(message: Cursor): readonly Cursor[] {
  return [message, ...items(child(message, 'traits')).map(follow).toReversed()];
}

/** Returns the headers of a message, followed by those of its traits. Names are compared without regard to case. */
export function lowerMessageHeaders(
  message: Cursor,
  context: LoweringContext,
): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const part of withTraits(message)) {
    const headers = child(part, 'headers');
    if (headers.value === undefined) continue;
    for (const header of lowerHeaderSchema(headers, context)) {
      const name = header.name.toLowerCase();
      if (!found.has(name)) found.set(name, header);
    }
  }
  return [...found.values()];
}

import type { Example } from '../contract.ts';
import { type Cursor, optionalTexts } from '../../json/cursor.ts';

/** Returns OpenAPI's `example` and `examples` beside a schema. */
export function lowerExamples(at: Cursor): readonly Example[] {
  const single = at.child('example');
  const named = at.entries('examples').flatMap(([name, entry]) => {
    const example = entry.follow();
    // OpenAPI 3.2 adds `dataValue`.
    const value = [example.child('value'), example.child('dataValue')].find(
      (member) => member.value !== undefined,
    );
    return value === undefined ? [] : [toExample(name, example, value)];
  });
  return single.value === undefined ? named : [toExample('example', single, single), ...named];
}

/**
 * Converts an Example Object of OpenAPI or AsyncAPI.
 * @param value the place of the example's value
 */
export function toExample(name: string, at: Cursor, value: Cursor): Example {
  return {
    kind: 'example',
    pointer: value.pointer,
    ...at.annotations(),
    name,
    ...optionalTexts(['summary'], at),
    value: value.value ?? null,
  };
}

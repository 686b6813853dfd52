import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../load/documents.ts';
import { child, entries, text, type Cursor } from '../cursor.ts';
import { diagnose, quote, type Rule } from './rule.ts';
import { conditionsAt } from './expressions.ts';
import { placesOf, walk, type Place } from './walk.ts';

/** A pattern is a regular expression of ECMA-262, read as Ajv reads it: with the `u` flag. */
export const patterns: Rule = {
  name: 'patterns',
  codes: ['invalid-pattern'],
  *check({ documents }): Iterable<Diagnostic> {
    for (const place of placesOf(documents)) {
      if (place.kind === 'schema') yield* checkSchema(place, documents);
      for (const { schema } of conditionsAt(place)) {
        for (const inner of walk(schema, 'schema')) yield* checkSchema(inner, documents);
      }
    }
  },
};

function* checkSchema(schema: Place, documents: Documents): Iterable<Diagnostic> {
  const own = child(schema, 'pattern');
  const found: (readonly [string | undefined, Cursor])[] = [
    [text(own), own],
    ...entries(child(schema, 'patternProperties')),
  ];
  for (const [pattern, at] of found) {
    const problem = pattern === undefined ? undefined : problemOf(pattern);
    if (pattern === undefined || problem === undefined) continue;
    yield diagnose(
      documents,
      'invalid-pattern',
      at.pointer,
      `The pattern ${quote(pattern)} is no regular expression of ECMA-262: ${problem}.`,
    );
  }
}

function problemOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    // The message repeats the pattern, which may hold anything; what is wrong stands behind the last colon.
    return error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : '';
  }
}

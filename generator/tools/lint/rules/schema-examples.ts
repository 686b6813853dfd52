import type { Contract } from '../../../contract/contract.ts';
import { type Cursor, child, toCursor } from '../../../json/cursor.ts';
import { indexSchemas, reachableFrom } from '../../../schema/references.ts';
import { withExampleCheck } from '../../../rules/example-check.ts';
import { quote } from '../../../diagnostics/quote.ts';
import { writtenExamples } from '../../../rules/written-examples.ts';
import { isSameJson } from '../../../json/same-json.ts';
import { type Place, walk } from '../../../specification/walk.ts';
import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { type Json, isJsonObject } from '../../../json/json.ts';
import type { Documents } from '../../../load/documents.ts';
import { type Pointer, pointerDocument, pointerMembers } from '../../../json/pointer.ts';
import { type ExampleCoverage, alternativesOf, coverExamples } from '../example-coverage.ts';
import { type ContractLintRule, find } from '../rule.ts';

/** Reports enumeration values and union alternatives in schemas of bodies that no example covers. */
export const schemaExamples: ContractLintRule = {
  name: 'schema-examples',
  codes: ['value-without-example', 'alternative-without-example'],
  async check({ contract, documents, compiler }): Promise<Iterable<Diagnostic>> {
    const coverage = await withExampleCheck(contract, compiler, (check) =>
      coverExamples(contract, writtenExamples(contract, documents), check),
    );
    return travelling(contract).flatMap(({ name, definition, pointer }) => {
      if (!isJsonObject(definition)) return [];
      const start: Cursor = { root: definition, pointer, value: definition };
      return [...walk(start, 'schema')].flatMap((place) => [
        ...missingValues(place, name, coverage, documents),
        ...missingAlternatives(place, name, coverage, documents),
      ]);
    });
  },
};

/** Returns the schemas that bodies use. Excludes derived schemas, which repeat these. */
function travelling(contract: Contract): Contract['schemas'] {
  const index = indexSchemas(contract);
  const bodies = [
    ...contract.notifications.map(({ payload }) => payload),
    ...contract.operations.flatMap(({ requestBody, responses }) =>
      [...(requestBody?.content ?? []), ...responses.flatMap(({ content }) => content)].flatMap(
        ({ schema }) => schema ?? [],
      ),
    ),
  ];
  const reached = new Set(bodies.flatMap((name) => reachableFrom(index, name)));
  return contract.schemas.filter(
    ({ name, origin }) => reached.has(name) && (origin === 'component' || origin === 'inline'),
  );
}

function missingValues(
  place: Place,
  name: string,
  coverage: ExampleCoverage,
  documents: Documents,
): readonly Diagnostic[] {
  return ['enum', 'x-extensible-enum'].flatMap((keyword) => {
    const at = child(place, keyword);
    if (!Array.isArray(at.value) || !isWritten(at.pointer, documents)) return [];
    const shown = coverage.valuesAt(place.value);
    const missing = (at.value as readonly Json[]).filter(
      (value) => !shown.some((known) => isSameJson(known, value)),
    );
    if (missing.length === 0) return [];
    const message = `No example has ${listOf(missing)} where ${quote(name)} lists ${missing.length === 1 ? 'it' : 'them'}.`;
    return [find(documents, 'value-without-example', at.pointer, message)];
  });
}

function missingAlternatives(
  place: Place,
  name: string,
  coverage: ExampleCoverage,
  documents: Documents,
): readonly Diagnostic[] {
  const all = alternativesOf(place.value);
  if (all.length < 2) return [];
  const taken = coverage.alternativesAt(place.value);
  return ['oneOf', 'anyOf'].flatMap((keyword) => {
    const at = child(place, keyword);
    if (!Array.isArray(at.value) || !isWritten(at.pointer, documents)) return [];
    const parts = at.value as readonly Json[];
    const missing = parts.flatMap((part, index) =>
      typeof part === 'boolean' || (isJsonObject(part) && taken.has(part)) ? [] : [index],
    );
    const [first] = missing;
    if (first === undefined) return [];
    const which = missing.map((index) => index + 1).join(', ');
    const message = `No example takes ${missing.length} of the ${parts.length} alternatives of ${quote(name)} (number ${which}).`;
    return [find(documents, 'alternative-without-example', child(at, first).pointer, message)];
  });
}

/**
 * Returns whether a place of the model exists in the source. The model normalizes keywords such as `nullable`, so it
 * has places that the author did not write.
 */
function isWritten(pointer: Pointer, documents: Documents): boolean {
  const name = pointerDocument(pointer);
  const root = documents[name]?.root ?? {};
  return child(toCursor(root, name), ...pointerMembers(pointer)).value !== undefined;
}

function listOf(values: readonly Json[]): string {
  const shown = values.slice(0, 10).map((value) => quote(JSON.stringify(value)).slice(1, -1));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

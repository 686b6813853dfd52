import type { Contract } from '../../../contract/contract.ts';
import { Cursor } from '../../../json/cursor.ts';
import { indexSchemas, reachableFrom } from '../../../schema/references.ts';
import { withExampleCheck } from '../../../rules/example-check.ts';
import { quote, quoteValues } from '../../../diagnostics/quote.ts';
import { writtenExamples } from '../../../rules/written-examples.ts';
import { isSameJson } from '../../../json/same-json.ts';
import { type Place, walk } from '../../../specification/walk.ts';
import { isJsonObject } from '../../../json/json.ts';
import type { Documents } from '../../../documents/documents.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { cursorAt } from '../../../documents/places.ts';
import { SchemaNode } from '../../../schema/node.ts';
import { type ExampleCoverage, coverExamples } from '../example-coverage.ts';
import type { ContractLintRule, LintFinding } from '../rule.ts';

/** Reports enumeration values and union alternatives in schemas of bodies that no example covers. */
export const schemaExamples: ContractLintRule = {
  codes: ['value-without-example', 'alternative-without-example'],
  async check({ contract, documents, compiler }) {
    const coverage = await withExampleCheck(contract, compiler, (check) =>
      coverExamples(contract, writtenExamples(contract, documents), check),
    );
    return schemasOfBodies(contract).flatMap(({ name, definition, pointer }) => {
      if (!isJsonObject(definition)) return [];
      const start = new Cursor(definition, pointer, definition);
      return [...walk(start, 'schema')].flatMap((place) => [
        ...missingValues(place, name, coverage, documents),
        ...missingAlternatives(place, name, coverage, documents),
      ]);
    });
  },
};

/** Returns the schemas that bodies use. Excludes derived schemas, which repeat these. */
function schemasOfBodies(contract: Contract): Contract['schemas'] {
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
): readonly LintFinding[] {
  return ['enum', 'x-extensible-enum'].flatMap((keyword) => {
    // A value that a constant beside the list excludes occurs in no example.
    const values = [...new Set(new SchemaNode(place.value).list(keyword))].filter(
      (value) =>
        !Object.hasOwn(place.value, 'const') || isSameJson(place.value['const'] ?? null, value),
    );
    const { pointer } = place.child(keyword);
    const shown = coverage.valuesAt(place.value);
    const missing = values.filter(
      (value) => !shown.some((exampleValue) => isSameJson(exampleValue, value)),
    );
    if (missing.length === 0 || !isWritten(pointer, documents)) return [];
    const message = `No example has ${quoteValues(missing)}, which ${quote(name)} lists.`;
    return [{ code: 'value-without-example', pointer, message }];
  });
}

function missingAlternatives(
  place: Place,
  name: string,
  coverage: ExampleCoverage,
  documents: Documents,
): readonly LintFinding[] {
  const { oneOf, anyOf } = new SchemaNode(place.value);
  if (oneOf.length + anyOf.length < 2) return [];
  const covered = coverage.alternativesAt(place.value);
  return Object.entries({ oneOf, anyOf }).flatMap(([keyword, parts]) => {
    const missing = parts.flatMap((part, index) =>
      typeof part === 'boolean' || covered.has(part) ? [] : [index],
    );
    const [first] = missing;
    if (first === undefined) return [];
    const { pointer } = place.child(keyword, first);
    if (!isWritten(pointer, documents)) return [];
    const which = missing.map((index) => index + 1).join(', ');
    const message = `No example matches ${missing.length} of the ${parts.length} alternatives of ${quote(name)} (number ${which}).`;
    return [{ code: 'alternative-without-example', pointer, message }];
  });
}

/**
 * Returns whether a place of the model exists in the source. The model normalizes keywords such as `nullable`, so it
 * has places that the author did not write.
 */
function isWritten(pointer: Pointer, documents: Documents): boolean {
  return cursorAt(documents, pointer).value !== undefined;
}

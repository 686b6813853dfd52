import { objectsIn, referenceOf } from '../json/descend.ts';
import type { Json } from '../json/json.ts';
import { isWithin, type Pointer, pointerDocument } from '../json/pointer.ts';
import { indexSchemas, toReference } from '../schema/references.ts';
import { JudgeError } from '../validators/judge.ts';
import type { InvalidExample } from '../contract/contract.ts';
import { matchVariant } from '../recognition/match-variant.ts';
import { withExampleCheck } from './example-check.ts';
import { vocabularyDocuments } from '../documents/declared-vocabulary.ts';
import type { ContractRule, Finding } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Violation, describeViolations, dependentKeywords } from './violations.ts';
import { writtenExamples } from './written-examples.ts';

/** Checks that each example is valid, and that each invalid example violates exactly the keyword that it names. */
export const examples: ContractRule = {
  codes: ['invalid-example'],
  async check({ contract, documents, compiler }) {
    const ownExamples = writtenExamples(contract, documents);
    const invalid = contract.notifications.flatMap((notification) =>
      notification.invalidExamples.map((example) => ({ notification, example })),
    );
    if (ownExamples.length === 0 && invalid.length === 0) return [];
    const index = indexSchemas(contract);
    const declared = vocabularyDocuments(documents);
    const references: { readonly pointer: Pointer; readonly reference: string }[] = [];
    return await withExampleCheck(contract, compiler, async (check) => {
      const ofValid = ownExamples.map(async ({ of, pointer, value, schema }) =>
        withCheckErrors(pointer, async () => {
          const violations = await check(schema, value);
          if (violations.length === 0) return undefined;
          const reference = referenceIn(value);
          if (reference !== undefined) {
            references.push({ pointer, reference });
            return undefined;
          }
          const message = `The example of ${quote(of)} violates its schema: ${describeViolations(violations)}.`;
          const isDeclared = declared.includes(pointerDocument(pointer));
          const help = isDeclared ? undefined : helpForOthers;
          return { pointer, message, severity: 'by-vocabulary', help };
        }),
      );
      const ofInvalid = invalid.map(async ({ notification, example }) =>
        withCheckErrors(example.pointer, async () => {
          const variants = index.get(notification.payload)?.variants ?? [];
          const variant = matchVariant(variants, example.value);
          const schema = toReference(variant?.schema ?? notification.payload);
          const problem = faultOfInvalidExample(example, await check(schema, example.value));
          if (problem === undefined) return undefined;
          const message = `The invalid example ${quote(example.name)} of ${quote(notification.id)} ${problem}.`;
          return { pointer: example.pointer, message, help: helpInvalid };
        }),
      );
      const findings = await Promise.all([...ofValid, ...ofInvalid]);
      return [
        ...findings.filter((finding) => finding !== undefined),
        ...explainReferences(references),
      ];
    });
  },
};

/** Returns the first `$ref` in an example that someone may have meant as a reference. */
function referenceIn(value: Json): string | undefined {
  for (const object of objectsIn(value)) {
    const reference = referenceOf(object);
    if (reference !== undefined && Object.keys(object).length === 1) return reference;
  }
  return undefined;
}

/** Reports all examples with references together, because all of them have one cause. */
function explainReferences(
  references: readonly { readonly pointer: Pointer; readonly reference: string }[],
): readonly Finding[] {
  const [first] = references;
  if (first === undefined) return [];
  const { pointer, reference } = first;
  const count = references.length;
  const subject =
    count === 1
      ? 'An example contains the reference'
      : `${count} examples contain a reference, such as`;
  const message = `${subject} ${quote(reference)}. References in examples are not resolved, so the example violates its schema.`;
  return [{ pointer, message, severity: 'by-vocabulary', help: helpForReferences }];
}

const helpForReferences =
  'Write the value in its place. In OpenAPI, `externalValue` can name a file, and a whole Example Object can be a reference to one in `components`.';

const helpForOthers =
  'Scaffolded tests and the simulator skip it, so nothing has to be done if the document is not yours. Otherwise, correct the example or the schema.';

const helpInvalid =
  'Make the example violate one rule only, and name it in `violates` with the JSON Pointer and the keyword.';

/** Returns what is wrong with an invalid example, or `undefined` if it violates only what it declares. */
function faultOfInvalidExample(
  { violates }: InvalidExample,
  violations: readonly Violation[],
): string | undefined {
  if (violations.length === 0) return 'is valid, but must be invalid';
  const wanted = `${quote(violates.keyword)} at ${quote(violates.at)}`;
  const isDeclared = ({ at, keyword }: Violation): boolean =>
    at === violates.at && keyword === violates.keyword;
  if (!violations.some(isDeclared)) {
    return `does not violate ${wanted}, but: ${describeViolations(violations)}`;
  }
  const unions = unionsAround(violates.at, violations);
  const undeclared = violations.filter(
    (violation) => !isDeclared(violation) && !unions.some((union) => isWithin(violation.at, union)),
  );
  return undeclared.length === 0
    ? undefined
    : `violates more than ${wanted}: ${describeViolations(undeclared)}`;
}

/**
 * Returns the paths of the unions that contain the declared path. If no alternative of a union matches, Ajv reports the
 * errors of every alternative. The errors inside such a union follow from the declared violation.
 */
function unionsAround(declared: string, violations: readonly Violation[]): readonly string[] {
  const places = violations
    .filter(({ keyword, at }) => dependentKeywords.has(keyword) && isWithin(declared, at))
    .map(({ at }) => at);
  return [...new Set(places)];
}

/** Runs a check, and reports an example that cannot be checked. */
async function withCheckErrors(
  pointer: Pointer,
  check: () => Promise<Finding | undefined>,
): Promise<Finding | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    const { code, message } = error;
    if (code === 'not-compiled' || code === 'thread-failed') {
      const what = code === 'not-compiled' ? 'schema of this example' : 'validator of this example';
      const failed = code === 'not-compiled' ? 'cannot be compiled' : 'failed';
      return { pointer, message: `The ${what} ${failed}: ${quote(message)}.` };
    }
    const why = code === 'too-deep' ? 'is nested too deeply' : 'takes too long';
    return { pointer, message: `The example ${why} to be validated.`, severity: 'by-vocabulary' };
  }
}

import { pointerDocument, toPointer } from '../json/pointer.ts';
import {
  conditionsKey,
  isConditionName,
  readIdentification,
} from '../recognition/identification.ts';
import { vocabularyDocuments, vocabularyPlaces } from '../documents/declared-vocabulary.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { NameIndex } from '../diagnostics/name-index.ts';
import { findRead } from '../recognition/reads.ts';
import { unstatedEntries } from '../documents/unstated-entries.ts';
import { decidableKeywords, findUndecidable } from '../schema/value-set.ts';
import { placesOf } from '../documents/places.ts';
import { conditionsAt } from '../recognition/written-conditions.ts';
import { expressionsAt } from './expressions.ts';
import type { ContractRule, Rule } from './rule.ts';
import { quote } from '../diagnostics/quote.ts';

/**
 * Checks the expressions and conditions that identify a notification, its duplicates or its wire variant. Each
 * expression has to name a part of the request. Each condition may only list values, types and patterns, because generated
 * code decides by table lookup, and matches a pattern once.
 */
export const readableConditions: Rule = {
  codes: ['undecidable-condition'],
  *check({ documents }) {
    const ledger = unstatedEntries(documents);
    const declared = vocabularyDocuments(documents);
    for (const place of placesOf(documents)) {
      const isDeclared = declared.includes(pointerDocument(place.pointer));
      for (const { expression, pointer, role } of expressionsAt(place, ledger)) {
        if (role === 'signed' || role === 'token' || findRead(expression) !== undefined) continue;
        // The check of the vocabulary reports values that are not expressions.
        if (isDeclared && !otherExpression.test(expression)) continue;
        const message = `The expression ${quote(expression)} does not name a part of a request.`;
        const help =
          'Name a part of the request: `$method`, `$url.path`, or a name after `$request.header.`, `$request.query.`, `$request.path.` or `$request.body#`.';
        yield { pointer, message, help };
      }
      for (const { expression, schema, of } of conditionsAt(place)) {
        const problem = findUndecidable(schema.value);
        if (problem === undefined) continue;
        const message = `${quote(of)} cannot decide by the condition on ${quote(expression)}: ${problem.reason}.`;
        const pointer = toPointer(schema.pointer, ...problem.members);
        const help =
          problem.unknown === undefined
            ? undefined
            : didYouMean(problem.unknown, decidableKeywords);
        yield { pointer, message, help };
      }
    }
  },
};

/**
 * Checks that each name in `x-identified-by` is a condition of `x-conditions` in the components, and that these multiply
 * to alternatives that a receiver can evaluate.
 */
export const namedConditions: Rule = {
  codes: ['undeclared-name', 'entangled-notifications'],
  *check({ documents }) {
    const places = vocabularyPlaces(documents);
    const declared = new Set(
      places.flatMap((place) => place.entries(conditionsKey).map(([name]) => name)),
    );
    const names = new NameIndex(declared);
    for (const place of places) {
      const identification = place.child('x-identified-by');
      if (identification.value !== undefined && readIdentification(identification) === undefined) {
        const message = 'The named conditions multiply to more than 1,000 alternatives.';
        const help = 'Write fewer alternatives for each condition, or name fewer conditions.';
        yield { code: 'entangled-notifications', pointer: identification.pointer, message, help };
      }
      for (const alternative of identification.listed()) {
        for (const [name, { pointer }] of alternative.entries()) {
          if (!isConditionName(name) || declared.has(name)) continue;
          const message = `No condition of \`${conditionsKey}\` has the name ${quote(name)}.`;
          const help = didYouMean(name, names);
          yield { pointer, message, help };
        }
      }
    }
  },
};

/** Expressions that the vocabulary allows, but that no condition on a request can use. */
const otherExpression = /^\$(?:url|url\.path\+query|timestamp|statusCode|response\..+)$/su;

/**
 * Checks that the conditions of notifications and of wire variants do not combine in too many ways. This is an error if
 * the document declares the vocabulary, because it could be more specific. Otherwise it is a warning, and a receiver
 * evaluates fewer conditions.
 */
export const boundedRecognition: ContractRule = {
  codes: ['entangled-notifications'],
  *check({ contract }) {
    const { passedOver, passedOverForms, forms } = contract.recognition;
    const entangled = forms.find(({ variant }) => passedOverForms.includes(variant.name));
    if (entangled !== undefined)
      yield {
        pointer: entangled.variant.pointer,
        message: 'The wire variants of the contract can be combined in too many ways.',
        help: 'Write conditions of wire variants that exclude one another.',
      };
    const [expression] = passedOver;
    if (expression === undefined) return;
    const concerned = contract.notifications.filter(({ identifiedBy }) =>
      identifiedBy.flat().some((condition) => passedOver.includes(condition.expression)),
    );
    const [first] = concerned;
    if (first === undefined) return;
    const suffix = passedOver.length === 1 ? '' : ` and ${passedOver.length - 1} more values`;
    const { pointer } = first;
    yield {
      pointer,
      message: `${concerned.length} notifications, ${quote(first.id)} the first of them, can match one delivery in too many combinations, so receivers distinguish them without ${quote(expression)}${suffix}.`,
      severity: 'by-vocabulary',
    };
  },
};

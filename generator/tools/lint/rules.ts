import type { ContractLintRule, LintRule } from './rule.ts';
import { ambiguities } from './rules/ambiguities.ts';
import { citations } from './rules/citations.ts';
import { eventExamples } from './rules/event-examples.ts';
import { numbers } from './rules/numbers.ts';
import { redocly } from './rules/redocly.ts';
import { schemaExamples } from './rules/schema-examples.ts';
import { sourceDocument } from './rules/source-document.ts';
import { unmatchablePatterns } from './rules/unmatchable-patterns.ts';

/** What is looked for in the documents as they are written. */
export const documentLintRules: readonly LintRule[] = [
  redocly,
  citations,
  sourceDocument,
  unmatchablePatterns,
  numbers,
];

/** What is looked for in the model. */
export const contractLintRules: readonly ContractLintRule[] = [
  ambiguities,
  eventExamples,
  schemaExamples,
];

import type { ContractLintRule, LintRule } from './rule.ts';
import { ambiguities } from './rules/ambiguities.ts';
import { citations } from './rules/citations.ts';
import { eventExamples } from './rules/event-examples.ts';
import { ledgerEffects } from './rules/ledger-effects.ts';
import { numbers } from './rules/numbers.ts';
import { openAnswers } from './rules/open-answers.ts';
import { operationSuccesses } from './rules/operation-successes.ts';
import { redocly } from './rules/redocly.ts';
import { remarks, settledNotes } from './rules/remarks.ts';
import { schemaExamples } from './rules/schema-examples.ts';
import { severalPayloads } from './rules/several-payloads.ts';
import { signatureParameters } from './rules/signature-parameters.ts';
import { sourceDocument } from './rules/source-document.ts';
import { swaggerParser } from './rules/swagger-parser.ts';
import { unstatedPages } from './rules/unstated-pages.ts';
import { unmatchablePatterns } from './rules/unmatchable-patterns.ts';

/** The lint rules that check the documents. */
export const documentLintRules: readonly LintRule[] = [
  redocly,
  swaggerParser,
  citations,
  sourceDocument,
  unmatchablePatterns,
  numbers,
  remarks,
  settledNotes,
];

/** The lint rules that check the model. */
export const contractLintRules: readonly ContractLintRule[] = [
  ambiguities,
  eventExamples,
  schemaExamples,
  openAnswers,
  ledgerEffects,
  operationSuccesses,
  signatureParameters,
  severalPayloads,
  unstatedPages,
];

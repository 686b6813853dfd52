import { sortDiagnostics, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { accessTokenOperation } from './access-token-operation.ts';
import { addresses, channelParameters } from './channels.ts';
import { declaredHeaders } from './declared-headers.ts';
import { declaredMembers } from './declared-members.ts';
import { decidingPatterns } from './deciding-patterns.ts';
import { dialects } from './dialects.ts';
import { discriminatorMappings } from './discriminator-mappings.ts';
import { echoes } from './echoes.ts';
import { endlessSchemas } from './endless-schemas.ts';
import { emptyEnums } from './empty-enums.ts';
import { enumKeys } from './enum-keys.ts';
import { enumNames } from './enum-names.ts';
import { extensions } from './extensions.ts';
import {
  ledgerAnswers,
  ledgerIds,
  presumedAnswers,
  requiredAnswers,
  settledAnswers,
  unstatedReferences,
} from './ledger.ts';
import { newerFeatures } from './newer-features.ts';
import {
  ambiguousNotifications,
  indistinctNotifications,
  schemaIdentification,
} from './notifications.ts';
import { operationIds } from './operation-ids.ts';
import { pagination } from './pagination.ts';
import { pathParameters } from './path-parameters.ts';
import { pathSecrets } from './path-secrets.ts';
import { patterns, slowPatterns } from './patterns.ts';
import { payloads } from './payloads.ts';
import { protocols } from './protocols.ts';
import { mistypedValues } from './mistyped-values.ts';
import { ignoredHeaders } from './ignored-headers.ts';
import { impossibleConditions } from './impossible-conditions.ts';
import { requestBodies } from './request-bodies.ts';
import { assumedRepetition, keptValues } from './repeatable.ts';
import { requiredProperties } from './required-properties.ts';
import { boundedRecognition, namedConditions, readableConditions } from './recognition.ts';
import { diagnose } from '../documents/diagnose.ts';
import type { ContractRule, Rule, RuleInput } from './rule.ts';
import { signatures } from './signatures.ts';
import { sources } from './sources.ts';
import { differingAuthentication } from './differing-authentication.ts';
import { unreadyAuthentication } from './unready-authentication.ts';
import { unstatedAuthentication } from './unstated-authentication.ts';
import { unreadBodies } from './unread-bodies.ts';
import { unreceived } from './unreceived.ts';
import { unsignedData } from './unsigned-data.ts';
import { bodySignatures } from './body-signatures.ts';
import { unsignedKeys } from './unsigned-keys.ts';
import { unsignedKinds } from './unsigned-kinds.ts';
import { unusedSignatures } from './unused-signatures.ts';
import { workflows } from './workflows.ts';

/** The rules that check the documents as they are written. */
export const documentRules: Readonly<Record<string, Rule>> = {
  operationIds,
  pathParameters,
  channelParameters,
  addresses,
  protocols,
  extensions,
  sources,
  declaredHeaders,
  accessTokenOperation,
  unusedSignatures,
  declaredMembers,
  unstatedReferences,
  ledgerAnswers,
  ledgerIds,
  presumedAnswers,
  requiredAnswers,
  settledAnswers,
  namedConditions,
  assumedRepetition,
  pagination,
  enumNames,
  emptyEnums,
  discriminatorMappings,
  mistypedValues,
  requiredProperties,
  readableConditions,
  patterns,
  slowPatterns,
  endlessSchemas,
  dialects,
  payloads,
  newerFeatures,
};

/** The rules that check the model, except `examples`. They expect documents that `documentRules` accept. */
export const contractRules: Readonly<Record<string, ContractRule>> = {
  enumKeys,
  ignoredHeaders,
  requestBodies,
  signatures,
  bodySignatures,
  echoes,
  unreadBodies,
  unreceived,
  unreadyAuthentication,
  differingAuthentication,
  unstatedAuthentication,
  unsignedData,
  unsignedKeys,
  unsignedKinds,
  keptValues,
  pathSecrets,
  indistinctNotifications,
  ambiguousNotifications,
  schemaIdentification,
  boundedRecognition,
  impossibleConditions,
  decidingPatterns,
  workflows,
};

/** Returns the diagnostics of all rules without duplicates, ordered by file and line. */
export async function runRules<Input extends RuleInput>(
  rules: readonly Rule<Input, Diagnostic['code']>[],
  input: Input,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    const [usual] = rule.codes;
    for (const finding of await rule.check(input)) {
      const { code = usual } = finding;
      if (code !== undefined) diagnostics.push(diagnose(input.documents, code, finding));
    }
  }
  return sortDiagnostics(diagnostics);
}

import { type Diagnostic, hasErrors } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../documents/documents.ts';
import { completeContract } from '../complete.ts';
import type { Contract, Info } from '../contract.ts';
import { withReadData } from '../representations.ts';
import type { Schema } from '../../schema/model.ts';
import { Cursor, optionalTexts } from '../../json/cursor.ts';
import { optional } from '../../json/json.ts';
import { checkSimplePattern, type PatternCheck } from '../../patterns/pattern-check.ts';
import { cursorAt, rootsOf } from '../../documents/places.ts';
import { type FormatOptions, assignFormatTypes } from './format-types.ts';
import { Ledger } from './ledger.ts';
import { identifyNotifications } from '../../recognition/identify.ts';
import {
  nameNotifications,
  deliveredMessages,
  deliveredWebhooks,
  lowerMessages,
  lowerWebhooks,
} from './notifications.ts';
import {
  callbackPlaces,
  type OperationPlace,
  operationPlaces,
  withoutCopies,
} from '../../specification/operation-places.ts';
import { reportSharedCredentials, reportSharedNames } from './shared-names.ts';
import { lowerOtherMessages } from './messages.ts';
import { lowerOperations, lowerSecurityRequirements } from './operations.ts';
import { publishDocuments } from './publish.ts';
import { indexSchemas } from '../../schema/references.ts';
import { SchemaRegistry } from './schema-registry.ts';
import { diagnoseVersion } from '../package-version.ts';
import { lowerSecurity } from './security.ts';
import { lowerHosts, lowerServers } from './servers.ts';
import { applySenders } from './senders.ts';
import type { LoweringContext } from './lowering-context.ts';
import { widenedSchemas } from '../normalization.ts';
import { lowerRecognition } from './recognition.ts';
import { lowerWorkflows } from './workflows.ts';
import { claimWidened, deriveVariants } from './variants.ts';

/** The settings of a configuration that change the model. */
export interface LowerOptions extends FormatOptions {
  readonly perspective?: 'service' | 'integrator';
  /** The version of the generated packages, if it is not that of the contract. */
  readonly version?: string;
}

/** The model of a contract, and the problems found during its creation. */
export interface Lowered {
  readonly contract: Contract;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Creates the model of a contract from its bundled documents. Chooses names, derives wire variants and applies settled
 * ledger entries. Returns a model even if the documents have errors, so that all errors are reported at once.
 * @param checkPattern returns the pattern that generated code matches; slow patterns are omitted
 */
export function lower(
  documents: Documents,
  options: LowerOptions = {},
  checkPattern: PatternCheck = checkSimplePattern,
): Lowered {
  const { perspective = 'service', version } = options;
  const diagnostics: Diagnostic[] = [];
  const contract = lowerDocuments(documents, perspective, checkPattern, diagnostics);
  if (version === undefined) diagnostics.push(...diagnoseVersion(documents, contract));
  if (hasErrors([...documents.diagnostics, ...diagnostics])) return { contract, diagnostics };
  const { contract: formatted, diagnostics: formatDiagnostics } = assignFormatTypes(
    contract,
    documents,
    options,
  );
  return { contract: formatted, diagnostics: [...diagnostics, ...formatDiagnostics] };
}

function lowerDocuments(
  documents: Documents,
  perspective: 'service' | 'integrator',
  checkPattern: PatternCheck,
  diagnostics: Diagnostic[],
): Contract {
  const openapi = cursorAt(documents, 'openapi#');
  const asyncapi = cursorAt(documents, 'asyncapi#');
  const sink = { documents, diagnostics };
  const context: LoweringContext = {
    ...sink,
    schemas: new SchemaRegistry(sink, checkPattern),
    ledger: new Ledger(documents),
  };
  const isIntegratorPerspective = perspective === 'integrator';
  const paths = operationPlaces(openapi.child('paths'));
  const [calls, deliveries] = isIntegratorPerspective
    ? [webhookPlaces(openapi), paths]
    : [paths, notificationPlaces(openapi, paths)];
  const action = isIntegratorPerspective ? 'receive' : 'send';
  const sourceOperations = lowerOperations(calls, openapi, context);
  const names = nameNotifications(
    [
      ...deliveredWebhooks(deliveries, isIntegratorPerspective),
      ...deliveredMessages(asyncapi, action),
    ],
    context,
  );
  const sourceDrafts = [
    ...lowerWebhooks(deliveries, isIntegratorPerspective, openapi, names, context),
    ...lowerMessages(asyncapi, action, names, context),
  ];
  reportSharedNames(deliveries, asyncapi, action, sink);
  const sourceMessages = lowerOtherMessages(asyncapi, action, context);
  const sourceSchemas = lowerSchemas(context);
  const { schemas, operations, drafts, messages } = applySenders(
    {
      schemas: sourceSchemas,
      operations: sourceOperations,
      drafts: sourceDrafts,
      messages: sourceMessages,
    },
    perspective,
    context.schemas,
  );
  const identifiedDrafts = identifyNotifications(
    drafts.map(withReadData),
    indexSchemas({ schemas }),
  );
  const { notifications, recognition } = lowerRecognition(
    identifiedDrafts,
    { schemas },
    checkPattern.proofs?.areDisjoint,
  );
  const security = lowerSecurity(rootsOf(documents), context);
  const declaredSecurity = openapi.child('security');
  const defaultSecurity =
    declaredSecurity.value === undefined
      ? {}
      : { defaultSecurity: lowerSecurityRequirements(declaredSecurity, openapi) };
  const unstated = context.ledger.toUnstated(context);
  const contract = completeContract({
    info: lowerInfo(documents),
    schemas,
    operations,
    notifications,
    recognition,
    messages,
    security,
    ...defaultSecurity,
    unstated,
    workflows: lowerWorkflows(documents, { operations, notifications, messages }),
    // Published documents have the schemas as they are written, because their readers apply `readOnly` and `writeOnly`.
    documents: publishDocuments(
      documents,
      sourceSchemas,
      notifications.map((notification, index) =>
        withReadData({
          ...notification,
          representations: sourceDrafts[index]?.representations ?? notification.representations,
        }),
      ),
      unstated,
    ),
  });
  reportSharedCredentials(contract, sink);
  return contract;
}

function webhookPlaces(openapi: Cursor): readonly OperationPlace[] {
  const sections = ['webhooks', 'x-webhooks'];
  return withoutCopies(sections.flatMap((member) => operationPlaces(openapi.child(member))));
}

/**
 * Returns the calls that a service makes to the integrator: its webhooks, and the callbacks of operations and webhooks.
 */
function notificationPlaces(
  openapi: Cursor,
  paths: readonly OperationPlace[],
): readonly OperationPlace[] {
  const webhooks = webhookPlaces(openapi);
  return withoutCopies([...webhooks, ...callbackPlaces([...paths, ...webhooks])]);
}

/**
 * Returns the schemas and those of their wire variants, ordered by name. The order of appearance would move code that has
 * not changed whenever a reference or a file moves.
 */
function lowerSchemas(context: LoweringContext): readonly Schema[] {
  const schemas = context.schemas.lowerAll();
  const index = indexSchemas({ schemas });
  const widened = widenedSchemas(schemas);
  const places = schemas.map((schema) => ({
    schema,
    at: context.schemas.placeOf(schema.name) ?? Cursor.ofDocument({}, 'openapi'),
  }));
  const wires = new Map(
    places.flatMap(({ schema, at }) =>
      widened.has(schema.name) ? [[schema.name, claimWidened(schema, at, context)] as const] : [],
    ),
  );
  return places
    .flatMap(({ schema, at }) => {
      const { canonical, derived } = deriveVariants(schema, at, { index, wires }, context);
      return [canonical, ...derived];
    })
    .toSorted((a, b) => (a.typeName < b.typeName ? -1 : 1));
}

function lowerInfo(documents: Documents): Info {
  const openapi = cursorAt(documents, 'openapi#');
  const [root = openapi, second] = rootsOf(documents);
  const received = second?.child('info');
  const info = root.child('info');
  const license = info.child('license');
  const name = license.text('name');
  return {
    kind: 'info',
    pointer: info.pointer,
    ...info.annotations(),
    title: scalar(info.child('title')) ?? '',
    version: scalar(info.child('version')) ?? '0.0.0',
    ...optionalTexts(['summary', 'description'], info),
    ...optional(
      'notifications',
      received && {
        pointer: received.pointer,
        ...received.annotations(),
        ...optionalTexts(['description'], received),
      },
    ),
    ...optional(
      'license',
      name === undefined ? name : { name, ...optionalTexts(['identifier', 'url'], license) },
    ),
    ...optional('sourceDocument', info.text('x-source-document')),
    servers:
      documents.openapi === undefined ? lowerHosts(root) : lowerServers(root.child('servers')),
  };
}

/** Returns text, or a number as text: YAML reads an unquoted version as a number. */
function scalar(at: Cursor): string | undefined {
  return typeof at.value === 'number' ? String(at.value) : at.text();
}

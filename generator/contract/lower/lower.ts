import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../load/documents.ts';
import type { Contract, Info, Notification } from '../contract.ts';
import type { Schema } from '../../schema/model.ts';
import type { PatternCheck } from '../../schema/patterns/pattern-check.ts';
import { type Cursor, child, optional, sourceOf, text, toCursor } from '../../json/cursor.ts';
import { withoutCopies } from '../../specification/copies.ts';
import { canBothMatch } from './distinguish.ts';
import { Ledger } from './ledger.ts';
import { keepNeededConditions } from './needed-conditions.ts';
import { type LoneNotification, lowerMessages, lowerWebhooks, nameApart } from './notifications.ts';
import type { OperationPlace } from '../../specification/operation-place.ts';
import { callbackPlaces, operationPlaces } from '../../specification/operation-places.ts';
import { lowerOperations, lowerSecurityRequirements } from './operations.ts';
import type { Lowering } from './parameters.ts';
import { publishDocuments } from './publish.ts';
import { SchemaRegistry } from './schema-registry.ts';
import { lowerSecurity } from './security.ts';
import { lowerHosts, lowerServers } from './servers.ts';
import type { Report } from './take-name.ts';
import { deriveVariants } from './variants.ts';

export function lower(
  documents: Documents,
  perspective: 'service' | 'integrator',
  checkPattern: PatternCheck,
  diagnostics: Diagnostic[],
): Contract {
  const openapi = documents.openapi && toCursor(documents.openapi.root, 'openapi');
  const asyncapi = documents.asyncapi && toCursor(documents.asyncapi.root, 'asyncapi');
  const roots = [openapi, asyncapi].filter((root) => root !== undefined);
  const report: Report = { documents, diagnostics };
  const lowering: Lowering = {
    schemas: new SchemaRegistry(report, checkPattern),
    ledger: new Ledger(documents),
  };
  const turned = perspective === 'integrator';

  const operations =
    openapi === undefined
      ? []
      : lowerOperations(
          turned ? webhookPlaces(openapi) : operationPlaces(child(openapi, 'paths')),
          openapi,
          lowering,
          report,
        );
  const lone: readonly LoneNotification[] = keepNeededConditions([
    ...(openapi === undefined
      ? []
      : lowerWebhooks(
          turned ? operationPlaces(child(openapi, 'paths')) : notificationPlaces(openapi),
          turned,
          openapi,
          lowering,
        )),
    ...(asyncapi === undefined
      ? []
      : lowerMessages(asyncapi, turned ? 'receive' : 'send', lowering)),
  ]);
  const named = nameApart(lone, report);
  const notifications = named.map((notification) => withSiblings(notification, named));
  const security = lowerSecurity(roots, lowering.ledger, report);
  const schemas = lowerSchemas(lowering, report);
  return {
    info: lowerInfo(openapi, asyncapi),
    schemas,
    operations,
    notifications,
    security,
    ...(openapi === undefined || child(openapi, 'security').value === undefined
      ? {}
      : { defaultSecurity: lowerSecurityRequirements(child(openapi, 'security'), openapi) }),
    unstated: lowering.ledger.toUnstated(report),
    documents: publishDocuments(documents, schemas, notifications),
  };
}

function webhookPlaces(openapi: Cursor): readonly OperationPlace[] {
  const sections = ['webhooks', 'x-webhooks'];
  return withoutCopies(sections.flatMap((member) => operationPlaces(child(openapi, member))));
}

/**
 * Returns the calls that a service makes to the integrator: its webhooks, and the callbacks of operations and webhooks.
 */
function notificationPlaces(openapi: Cursor): readonly OperationPlace[] {
  const webhooks = webhookPlaces(openapi);
  const callers = [...operationPlaces(child(openapi, 'paths')), ...webhooks];
  return withoutCopies([...webhooks, ...callbackPlaces(callers)]);
}

function withSiblings(
  notification: LoneNotification,
  all: readonly LoneNotification[],
): Notification {
  const ambiguousWith = all
    .filter(
      (other) =>
        other !== notification && canBothMatch(notification.identifiedBy, other.identifiedBy),
    )
    .map(({ name }) => name);
  return { ...notification, ambiguousWith };
}

/** Returns the schemas in order of appearance, each followed by the schemas of its wire variants. */
function lowerSchemas(lowering: Lowering, report: Report): readonly Schema[] {
  const schemas = lowering.schemas.lowerAll();
  const byName = new Map(schemas.map((schema) => [schema.name, schema]));
  const workshop = { registry: lowering.schemas, byName, report };
  return schemas.flatMap((schema) => {
    const at = lowering.schemas.placeOf(schema.name);
    const variants = at && deriveVariants(schema, at, workshop);
    return variants === undefined ? [schema] : [variants.canonical, ...variants.derived];
  });
}

function lowerInfo(openapi: Cursor | undefined, asyncapi: Cursor | undefined): Info {
  const root = openapi ?? asyncapi ?? toCursor({}, 'openapi');
  const info = child(root, 'info');
  const license = child(info, 'license');
  const name = text(child(license, 'name'));
  return {
    kind: 'info',
    pointer: info.pointer,
    source: sourceOf(info),
    title: scalar(child(info, 'title')) ?? '',
    version: scalar(child(info, 'version')) ?? '0.0.0',
    ...optional('summary', text(child(info, 'summary'))),
    ...optional('description', text(child(info, 'description'))),
    ...(name === undefined
      ? {}
      : {
          license: {
            name,
            ...optional('identifier', text(child(license, 'identifier'))),
            ...optional('url', text(child(license, 'url'))),
          },
        }),
    ...optional('sourceDocument', text(child(info, 'x-source-document'))),
    servers: openapi === undefined ? lowerHosts(asyncapi) : lowerServers(child(openapi, 'servers')),
  };
}

/** Returns text, or a number as text: YAML reads an unquoted version as a number. */
function scalar(at: Cursor): string | undefined {
  return typeof at.value === 'number' ? String(at.value) : text(at);
}

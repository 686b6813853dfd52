import type { Contract, Notification } from '../../contract/contract.ts';
import { NameRegistry, toFileName } from '../../contract/names.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { planDecorators } from '../printing/decorators.ts';
import type { Documentation } from '../jsdoc.ts';
import { oneLine } from '../package/prose.ts';
import { eventsOf } from '../../contract/events.ts';

/** A handler that an application needs, for a kind or for a union of kinds. */
export interface HandlerPlan {
  /** The name under which the receiver registers it. */
  readonly name: string;
  /** The name of the kind or the union, in PascalCase. */
  readonly typeName: string;
  /** The export of a file with this handler alone: a function, or the class of a provider. */
  readonly exportName: string;
  /** The base name of that file, without extension. */
  readonly fileName: string;
  /** The type of its event. */
  readonly eventType: string;
  /** The decorator of its method, for handlers in providers. */
  readonly mark: string;
  /** The contract's description of it. */
  readonly documentation: Documentation;
}

/** Names of functions that a file with all handlers has besides them. */
const ownFunctions = ['onInvalid', 'otherwise'];

/**
 * Plans one handler for each notification, and one for each union of notifications that a delivery does not
 * distinguish.
 */
export function planHandlers(
  contract: Contract,
  as: 'functions' | 'providers',
): readonly HandlerPlan[] {
  const plan = eventsOf(contract);
  const { kinds, unions } = plan;
  const marks = new Map(planDecorators(plan).map((mark) => [mark.handler, mark.name]));
  const names = new NameRegistry<string>();
  if (as === 'functions') for (const name of ownFunctions) names.claim(name, name);
  const files = new NameRegistry<string>((name) => name.toLowerCase());
  const toPlan = (
    name: string,
    typeName: string,
    eventType: string,
    documentation: Documentation,
  ): HandlerPlan => ({
    name,
    typeName,
    exportName: names.claimFree(as === 'functions' ? `on${typeName}` : `${typeName}Handler`, name),
    fileName: files.claimFree(toFileName(typeName), name, '-'),
    eventType,
    mark: marks.get(name) ?? '',
    documentation,
  });
  return [
    ...kinds.map(({ notification, eventType }) =>
      toPlan(
        notification.name,
        notification.typeName,
        eventType,
        documentationOf(contract, notification),
      ),
    ),
    ...unions.map((union) =>
      toPlan(union.name, union.typeName, union.eventType, {
        summary: union.summary,
        notes: union.notes,
        deprecated: union.deprecated,
      }),
    ),
  ];
}

function documentationOf(contract: Contract, notification: Notification): Documentation {
  const { summary, description, notes, source, deprecated } = notification;
  return {
    summary,
    description,
    notes,
    source,
    deprecated,
    sourceDocument: contract.info.sourceDocument,
    remarks: identityRemark(notification),
  };
}

/** States what makes two deliveries the same, if the contract does. The type of the event names an open question. */
function identityRemark({ dedupeBy }: Notification): readonly string[] {
  if (dedupeBy === undefined || unstatedId(dedupeBy) !== undefined) return [];
  const expressions = (dedupeBy as readonly string[]).map(
    (expression) => `\`${oneLine(expression)}\``,
  );
  return [
    `Deliveries with the same ${expressions.join(' and ')} are one notification. It can be delivered again: handle it once.`,
  ];
}

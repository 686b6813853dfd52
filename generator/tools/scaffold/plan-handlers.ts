import type { Contract } from '../../contract/contract.ts';
import { NameRegistry, toFileName } from '../../contract/lower/names.ts';
import type { Code } from '../../targets/code.ts';
import { jsdoc } from '../../targets/jsdoc.ts';
import { planDecorators } from '../../targets/frameworks/decorators.ts';
import { planWebhooks, summaryOfUnion } from '../../targets/webhooks/plan.ts';

/** A handler that an application needs, and the data for its stub. */
export interface HandlerPlan {
  /** The name under which the receiver registers it. */
  readonly name: string;
  /** The export of its file: a function, or the class of a provider. */
  readonly exportName: string;
  /** The base name of its file, without extension. */
  readonly fileName: string;
  /** The type of its event. */
  readonly eventType: string;
  /** The decorator of its method, for handlers in providers; otherwise empty. */
  readonly mark: string;
  /** The contract's description of it, as a comment. */
  readonly comment: Code;
}

/**
 * Plans one handler for each notification, and one for each union of notifications that a delivery does not
 * distinguish.
 */
export function planHandlers(
  contract: Contract,
  as: 'functions' | 'providers',
): readonly HandlerPlan[] {
  const { sourceDocument } = contract.info;
  const plan = planWebhooks(contract);
  const { kinds, unions } = plan;
  const marks = new Map(planDecorators(plan).map((mark) => [mark.handler, mark.name]));
  const names = new NameRegistry<string>();
  const files = new NameRegistry<string>((name) => name.toLowerCase());
  const toPlan = (
    name: string,
    typeName: string,
    eventType: string,
    comment: Code,
  ): HandlerPlan => ({
    name,
    exportName: names.claimFree(as === 'functions' ? `on${typeName}` : `${typeName}Handler`, name),
    fileName: files.claimFree(toFileName(typeName), name, '-'),
    eventType,
    mark: marks.get(name) ?? '',
    comment,
  });
  return [
    ...kinds.map(({ notification, eventType }) =>
      toPlan(
        notification.name,
        notification.typeName,
        eventType,
        jsdoc({ ...notification, sourceDocument, examples: [] }),
      ),
    ),
    ...unions.map((union) =>
      toPlan(
        union.name,
        union.typeName,
        union.eventType,
        jsdoc({ summary: summaryOfUnion(union) }),
      ),
    ),
  ];
}

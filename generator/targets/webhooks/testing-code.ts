import type { Contract, Notification } from '../../contract/contract.ts';
import { toDelivery } from '../../contract/delivery.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, literalUnion, memberName, object } from '../escape.ts';
import { type EventKind, type Events, wireSchema } from '../../contract/events.ts';

/** Describes for the template of the module for tests a delivery for each kind that has examples. */
export function describeDeliveries(contract: Contract, plan: Events): object {
  const shown = plan.kinds.filter(({ notification }) => notification.examples.length > 0);
  const encodings = new Set(shown.map(({ notification }) => notification.encoding));
  return {
    hasDeliveries: shown.length > 0,
    hasForms: encodings.has('form') || encodings.has('query'),
    deliveries: object(
      shown.map(({ notification }) => [notification.name, deliveryCode(notification)]),
    ),
    bodies: joinCode(
      shown.map((kind) => {
        const examples = literalUnion(kind.notification.examples.map(({ name }) => name));
        const mark = new Code(kind.notification.deprecated ? '/** @deprecated */\n' : '');
        return code`${mark}readonly ${memberName(kind.notification.name)}: { readonly body: ${bodyType(contract, kind)}; readonly example: ${examples} };`;
      }),
      '\n',
    ),
    examples: literal(
      shown.flatMap(({ notification }) =>
        notification.examples.map((example) => ({
          kind: notification.name,
          example: example.name,
        })),
      ),
    ),
  };
}

function deliveryCode(notification: Notification): Code {
  const { method, path, headers } = toDelivery(notification);
  const deep = Object.entries(notification.memberStyles ?? {}).flatMap(([name, { style }]) =>
    style === 'deepObject' ? [name] : [],
  );
  const examples = notification.examples.map(({ name, value }) => [name, literal(value)] as const);
  return object({
    method: literal(method),
    path: literal(path),
    headers: literal(headers),
    encoding: notification.encoding === undefined ? undefined : literal(notification.encoding),
    deep: deep.length === 0 ? undefined : literal(deep),
    examples: object(examples),
  });
}

function bodyType(contract: Contract, { notification }: EventKind): Code {
  return code`contract.${identifier(wireSchema(contract, notification).typeName)}`;
}

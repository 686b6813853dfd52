import type { Contract, Notification } from '../../contract/contract.ts';
import { toDelivery } from '../../contract/lower/delivery.ts';
import { Code, code, joinCode } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import type { PlannedKind, WebhookPlan } from './plan.ts';

/** What the module for tests says: a delivery for each kind that has an example. */
export interface DeliveriesCode {
  /** Each kind with method, path, headers and examples. */
  readonly deliveries: Code;
  /** What bodies of each kind can be, as members of an interface. */
  readonly bodies: Code;
  /** Every example by its kind and its name. */
  readonly examples: Code;
  readonly hasDeliveries: boolean;
}

/** Describes deliveries that the contract's examples make. */
export function describeDeliveries(contract: Contract, plan: WebhookPlan): DeliveriesCode {
  const shown = plan.kinds.filter(({ notification }) => notification.examples.length > 0);
  return {
    hasDeliveries: shown.length > 0,
    deliveries: code`{ ${joinCode(
      shown.map(
        ({ notification }) => code`${memberName(notification.name)}: ${deliveryCode(notification)}`,
      ),
      ', ',
    )} }`,
    bodies: joinCode(
      shown.map((kind) => {
        const examples = kind.notification.examples.map(({ name }) => literal(name));
        const mark = new Code(kind.notification.deprecated ? '/** @deprecated */\n' : '');
        return code`${mark}readonly ${memberName(kind.notification.name)}: { readonly body: ${bodyType(contract, kind)}; readonly example: ${joinCode(examples, ' | ')} };`;
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
  const bodies = notification.examples.map(
    ({ name, value }) => code`${memberName(name)}: ${literal(value)}`,
  );
  return code`{ method: ${literal(method)}, path: ${literal(path)}, headers: ${literal(headers)}, examples: { ${joinCode(bodies, ', ')} } }`;
}

function bodyType(contract: Contract, { payload }: PlannedKind): Code {
  const wire = contract.schemas.find(
    ({ origin, variantOf }) => origin === 'wire' && variantOf === payload.name,
  );
  return code`contract.${identifier((wire ?? payload).typeName)}`;
}

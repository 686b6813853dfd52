import type { Contract, Notification } from '../../contract/contract.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { code, joinCode, type Code } from '../code.ts';
import { identifier, literal, memberName } from '../escape.ts';
import type { PlannedKind, WebhookPlan } from './plan.ts';

/** What the module for tests says: a delivery for each kind that has an example. */
export interface DeliveriesCode {
  /** Each kind with method, path, headers and examples. */
  readonly deliveries: Code;
  /** What bodies of each kind can be, as members of an interface. */
  readonly bodies: Code;
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
        return code`readonly ${memberName(kind.notification.name)}: { readonly body: ${bodyType(contract, kind)}; readonly example: ${joinCode(examples, ' | ')} };`;
      }),
      '\n',
    ),
  };
}

function deliveryCode(notification: Notification): Code {
  const { label, method = label?.method ?? 'POST', contentType, examples } = notification;
  const path = label?.path.replaceAll(/\{([^{}]*)\}/gu, (_, name: string) =>
    encodeURIComponent(name.toWellFormed()),
  );
  const headers = { 'content-type': contentType, ...constantHeaders(notification) };
  const bodies = examples.map(({ name, value }) => code`${memberName(name)}: ${literal(value)}`);
  return code`{ method: ${literal(method)}, path: ${literal(path ?? '')}, headers: ${literal(headers)}, examples: { ${joinCode(bodies, ', ')} } }`;
}

/** Headers without which the kind is not recognised, or not complete. */
function constantHeaders({ identifiedBy, headers }: Notification): Record<string, string> {
  const [first = []] = identifiedBy;
  const conditions = first.flatMap(({ expression, schema }) => {
    const name = /^\$request\.header\.(.+)$/u.exec(expression)?.[1];
    return name === undefined ? [] : [{ name, schema }];
  });
  const required = headers.filter((header) => header.required);
  return Object.fromEntries(
    [
      ...required.map(({ name, schema }) => ({ name, schema: schema as Json })),
      ...conditions,
    ].flatMap(({ name, schema }) => {
      if (!isJsonObject(schema)) return [];
      const [value = schema['const']] = Array.isArray(schema['enum']) ? schema['enum'] : [];
      return typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
    }),
  );
}

function bodyType(contract: Contract, { payload }: PlannedKind): Code {
  const wire = contract.schemas.find(
    ({ origin, variantOf }) => origin === 'wire' && variantOf === payload.name,
  );
  return code`contract.${identifier((wire ?? payload).typeName)}`;
}

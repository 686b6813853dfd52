import { optional } from '../json/json.ts';
import { SchemaNode } from '../schema/node.ts';
import type { Notification, Parameter } from './contract.ts';
import type { DeclaredProof } from './proofs.ts';

/** Returns the notifications whose proof the contract does not state: a list without a requirement states nothing. */
export function unstatedNotifications(
  notifications: readonly Notification[],
): readonly Notification[] {
  return notifications.filter(({ security }) => security.length === 0);
}

/**
 * Returns the headers that can be the proof of notifications without one, by their names: signatures before secrets, and
 * then those that more notifications declare.
 */
export function describeDeclaredProofs(
  notifications: readonly Notification[],
): readonly DeclaredProof[] {
  const places = unstatedNotifications(notifications).flatMap((notification) =>
    notification.headers.flatMap((parameter) => {
      const kind = kindOfHeader(parameter.name);
      return kind === undefined ? [] : [{ kind, notification, parameter }];
    }),
  );
  const groups = Map.groupBy(places, ({ parameter }) => parameter.name.toLowerCase());
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { name } = first.parameter;
      return {
        header: name,
        kind: first.kind,
        ...besides(name, first.notification),
        values: [...new Set(group.flatMap(({ parameter }) => textsOf(parameter)))],
        notifications: group.map(({ notification }) => notification.id),
      };
    })
    .toSorted(
      (one, other) =>
        Number(other.kind === 'signature') - Number(one.kind === 'signature') ||
        other.notifications.length - one.notifications.length,
    );
}

/** Returns which proof the name of a header is that of; `undefined` for a name that says nothing, or describes a proof. */
function kindOfHeader(name: string): DeclaredProof['kind'] | undefined {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/u);
  // Such as X-Signature-Algorithm and Signature-Input: about a signature.
  if (
    /^(?:alg|algorithm|at|expires|id|input|method|timestamp|type|url|version)$/u.test(
      words.at(-1) ?? '',
    )
  )
    return undefined;
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  if (has(/^(?:signature|hmac|sig|sign)$/u)) return 'signature';
  const isOfDeliveries = has(/^(?:web)?hooks?$|^callbacks?$/u);
  return has(/^secret$/u) || (isOfDeliveries && has(/^(?:token|key|auth)$/u))
    ? 'secret'
    : undefined;
}

/** Returns the headers of a notification that are named like a signature and have its id and its timestamp. */
function besides(
  name: string,
  { headers }: Notification,
): Pick<DeclaredProof, 'idHeader' | 'timestampHeader'> {
  const prefix = /^(.*?)-?signature/iu.exec(name)?.[1];
  if (prefix === undefined) return {};
  const find = (...endings: readonly string[]): string | undefined =>
    headers.find(({ name: other }) =>
      endings.some((ending) => other.toLowerCase() === `${prefix}-${ending}`.toLowerCase()),
    )?.name;
  return {
    ...optional('idHeader', find('id')),
    ...optional('timestampHeader', find('timestamp', 'request-timestamp')),
  };
}

/** Returns the texts among the examples of a header and of its schema. */
function textsOf({ examples, schema }: Parameter): readonly string[] {
  const node = new SchemaNode(schema);
  const { example } = node.keywords;
  return [
    ...examples,
    ...(example === undefined ? [] : [example]),
    ...(node.list('examples') ?? []),
  ].filter((value) => typeof value === 'string');
}

import { optional, type Json } from '../json/json.ts';
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
 * Returns the headers, parameters of the query and cookies that can be the proof of notifications without one, by their
 * names: signatures before secrets, and then those that more notifications declare.
 * @param isData returns whether receivers read a parameter of the query as data
 */
export function describeDeclaredProofs(
  notifications: readonly Notification[],
  isData: (name: string) => boolean,
): readonly DeclaredProof[] {
  const places = unstatedNotifications(notifications).flatMap((notification) =>
    parametersOf(notification).flatMap((parameter) => {
      const kind = kindOf(parameter.name);
      return kind === undefined || (parameter.in === 'query' && isData(parameter.name))
        ? []
        : [{ kind, notification, parameter }];
    }),
  );
  const groups = Map.groupBy(places, ({ parameter: { in: place, name } }) =>
    place === 'header' ? name.toLowerCase() : `${place} ${name}`,
  );
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { name, in: place } = first.parameter;
      return {
        in: place,
        name,
        kind: first.kind,
        ...(place === 'header' ? besides(name, first.notification) : {}),
        values: [...new Set(group.flatMap(({ parameter: { examples } }) => examples))].filter(
          (value) => typeof value === 'string',
        ),
        notifications: [...new Set(group.map(({ notification }) => notification.id))],
      };
    })
    .toSorted(
      (one, other) =>
        Number(other.kind === 'signature') - Number(one.kind === 'signature') ||
        other.notifications.length - one.notifications.length,
    );
}

const placeWords = { header: '', query: ' in the query', cookie: ' in a cookie' } as const;

/** Returns where a declared proof is, as words behind its name; none for a header. */
export function describeProofPlace({ in: place }: Pick<DeclaredProof, 'in'>): string {
  return placeWords[place];
}

/** Returns the headers and the other parameters of a notification, with their examples. */
function parametersOf({
  headers,
  otherParameters = [],
}: Notification): readonly (Pick<DeclaredProof, 'in' | 'name'> & Pick<Parameter, 'examples'>)[] {
  return [
    ...headers.map(
      (header) => ({ in: 'header', name: header.name, examples: examplesOf(header) }) as const,
    ),
    ...otherParameters,
  ];
}

/** Returns which proof a name is that of; `undefined` for a name that says nothing, or describes a proof. */
function kindOf(name: string): DeclaredProof['kind'] | undefined {
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

/** Returns the examples of a parameter and of its schema. */
export function examplesOf({
  examples,
  schema,
}: Pick<Parameter, 'examples' | 'schema'>): readonly Json[] {
  const node = new SchemaNode(schema);
  const { example } = node.keywords;
  return [
    ...examples,
    ...(example === undefined ? [] : [example]),
    ...(node.list('examples') ?? []),
  ];
}

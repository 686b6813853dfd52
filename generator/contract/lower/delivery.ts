import { SchemaNode } from '../../schema/node.ts';
import type { Notification } from '../contract.ts';
import { sentContentType } from './notification-data.ts';
import { templateNames } from '../path-template.ts';

/** The method, path and headers with which a sender delivers a notification. A notification in the query has no body. */
export interface Delivery {
  readonly method: string;
  /** The path of the label with its parameters replaced; empty where there is no label. */
  readonly path: string;
  /** By header name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the method, path and headers of a delivery of a notification.
 * @param valueOf returns the value of a parameter of the label's path, not encoded; by default its name
 */
export function toDelivery(
  notification: Notification,
  valueOf: (parameter: string) => string = (name) => name.toWellFormed(),
): Delivery {
  const { label, method = label?.method ?? 'POST', encoding } = notification;
  const path = label?.path.replaceAll(/\{([^{}]*)\}/gu, (_, name: string) =>
    encodeURIComponent(valueOf(name)),
  );
  return {
    method,
    path: path ?? '',
    headers: {
      ...(encoding === 'query' ? {} : { 'content-type': sentContentType(notification) }),
      ...constantHeaders(notification),
    },
  };
}

/** Returns the names of the parameters of the label's path. */
export function labelParameters({ label }: Notification): readonly string[] {
  return templateNames(label?.path ?? '');
}

/** Returns the headers with constant values that identify the notification or are required, by name in lower case. */
function constantHeaders({ identifiedBy, headers }: Notification): Record<string, string> {
  const [first = []] = identifiedBy;
  const conditions = first.flatMap(({ expression, schema }) => {
    const name = /^\$request\.header\.(.+)$/u.exec(expression)?.[1];
    return name === undefined ? [] : [{ name, schema }];
  });
  const required = headers.filter((header) => header.required);
  return Object.fromEntries(
    [...required, ...conditions].flatMap(({ name, schema }) => {
      const [value] = new SchemaNode(schema).values ?? [];
      return typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
    }),
  );
}

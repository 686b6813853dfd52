import type { NotificationData } from '@countersign/simulator';
import type { Contract, Notification } from '../../contract/contract.ts';
import { toDelivery } from '../../contract/lower/delivery.ts';
import { optional } from '../../json/cursor.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { escapeMember } from '../../json/pointer.ts';
import { SchemaNode } from '../../schema/node.ts';
import { indexSchemas, resolveSchema, toReference, referenceOf } from '../../schema/references.ts';
import type { JsonSchema, Schema } from '../../schema/model.ts';
import { schemeNames } from '../client/operation-data.ts';
import { type Samples, toData } from './samples.ts';

/** Describes the notifications of a contract. */
export function describeNotifications(
  contract: Contract,
  samples: Samples,
): readonly NotificationData[] {
  return contract.notifications.map((notification) => {
    const { method, headers } = toDelivery(notification);
    const { 'content-type': _, ...constant } = headers;
    const wire = wireOf(contract, notification);
    return {
      kind: notification.name,
      ...optional('summary', notification.summary),
      method,
      path: notification.label?.path ?? '',
      parameters: (notification.label?.parameters ?? []).map(({ name, location }) => ({
        name,
        ...optional('pointer', pointerOf(location) ?? findMember(notification, name)),
      })),
      contentType: notification.contentType,
      headers: constant,
      ...optional('check', wire?.name),
      examples: notification.examples.map(({ name, value }) => ({ name, value: toData(value) })),
      invalidExamples: notification.invalidExamples.map(({ name, value }) => ({
        name,
        value: toData(value),
      })),
      samples: samples(notification.payload).map(toData),
      security: schemeNames(notification.security),
      openCodes: openCodesOf(contract, wire?.name ?? notification.payload),
    };
  });
}

/** Returns the schema of every wire format of a notification's payload. */
export function wireOf({ schemas }: Contract, { payload }: Notification): Schema | undefined {
  const wire = schemas.find(({ origin, variantOf }) => origin === 'wire' && variantOf === payload);
  return wire ?? schemas.find(({ name }) => name === payload);
}

/** Returns the JSON Pointer of AsyncAPI's `location`. */
function pointerOf(location: string | undefined): string | undefined {
  return /^\$message\.payload#(\/.*)$/su.exec(location ?? '')?.[1];
}

/** Returns the pointer of the only member of the first example that has the name of a parameter of the path. */
function findMember({ examples: [example] }: Notification, name: string): string | undefined {
  const found: string[] = [];
  const search = (value: Json, at: string): void => {
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      const pointer = `${at}/${escapeMember(key)}`;
      if (key === name && typeof member === 'string') found.push(pointer);
      if (member !== undefined) search(member, pointer);
    }
  };
  if (example !== undefined) search(example.value, '');
  return found.length === 1 ? found[0] : undefined;
}

/** The locations of a payload that are searched. References can make a small schema describe more of them. */
const maxLocations = 20_000;

/** Returns the paths of members that accept codes which the contract does not list (`x-extensible-enum`). */
function openCodesOf(contract: Contract, payload: string): NotificationData['openCodes'] {
  const index = indexSchemas(contract);
  const found = new Map<string, NotificationData['openCodes'][number]>();
  let visited = 0;
  const visit = (schema: JsonSchema, path: readonly string[], seen: readonly string[]): void => {
    const name = referenceOf(schema);
    if ((name !== undefined && seen.includes(name)) || visited > maxLocations) return;
    visited += 1;
    const trail = name === undefined ? seen : [...seen, name];
    const enumeration = name === undefined ? undefined : index.get(name)?.enumeration;
    if (enumeration?.open === true)
      found.set(JSON.stringify(path), { path, type: enumeration.base });
    const node = new SchemaNode(resolveSchema(index, schema) ?? true);
    for (const part of [...node.allOf, ...node.anyOf, ...node.oneOf]) visit(part, path, trail);
    for (const [key, member] of node.properties) visit(member, [...path, key], trail);
    const items = node.schema('items');
    if (items !== undefined) visit(items, [...path, '*'], trail);
  };
  visit(toReference(payload), [], []);
  return [...found.values()];
}

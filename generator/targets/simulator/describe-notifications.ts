import type { NotificationData } from '@countersign/simulator';
import type { Contract, Notification } from '../../contract/contract.ts';
import { sentContentType, toDelivery, toIdentified } from '../../contract/delivery.ts';
import { isJsonObject, type Json, optional, pick } from '../../json/json.ts';
import { escapeMember, pointerMembers } from '../../json/pointer.ts';
import { findSchema, indexSchemas } from '../../schema/references.ts';
import { statedSchemes } from '../../contract/sent-proofs.ts';
import { wireSchema } from '../../contract/events.ts';
import { openCodesOf } from './open-codes.ts';
import type { Samples } from './samples.ts';

/** Describes the notifications of a contract. */
export function describeNotifications(
  contract: Contract,
  samples: Samples,
): readonly NotificationData[] {
  return contract.notifications.map((notification) => {
    const { method, headers } = toDelivery(notification);
    const { 'content-type': _, ...constant } = headers;
    const wire = wireSchema(contract, notification);
    return {
      ...pick(notification, 'name', 'summary', 'dedupeBy', 'security'),
      method,
      path: notification.label?.path ?? '',
      parameters: (notification.label?.parameters ?? []).map(({ name, location }) => ({
        name,
        ...optional('pointer', pointerOf(location) ?? findMember(notification, name)),
      })),
      contentType: notification.encoding === 'query' ? '' : sentContentType(notification),
      ...(notification.encoding === 'query' ? { encoding: notification.encoding } : {}),
      headers: constant,
      check: wire.name,
      examples: notification.examples.map((example) => pick(example, 'name', 'value')),
      invalidExamples: notification.invalidExamples.map((example) =>
        pick(example, 'name', 'value'),
      ),
      samples: samples(notification.payload).map((value) =>
        asSigned(contract, notification, toIdentified(notification, value)),
      ),
      openCodes: openCodesOf(contract, notification, wire.name),
    };
  });
}

/** Returns a payload in the wire format whose elements are signed, where only those of a list have a signature. */
function asSigned(contract: Contract, notification: Notification, value: Json): Json {
  const signed = statedSchemes(contract, notification).find(
    ({ bodySignature }) => bodySignature?.each !== undefined,
  );
  const variant = findSchema(indexSchemas(contract), notification.payload).variants.find(
    ({ each, as, rename }) =>
      each !== undefined &&
      each === signed?.bodySignature?.each &&
      as === undefined &&
      Object.keys(rename).length === 0,
  );
  return pointerMembers(variant?.each ?? '').reduceRight<Json>(
    (inner, member) => Object.fromEntries([[member, inner]]),
    variant === undefined ? value : [value],
  );
}

/** Returns the JSON Pointer of AsyncAPI's `location`. */
function pointerOf(location: string | undefined): string | undefined {
  return /^\$message\.payload#(\/.*)$/su.exec(location ?? '')?.[1];
}

/** Returns the pointer of the only member of the first example that has the name of a parameter of the path. */
function findMember({ examples: [example] }: Notification, name: string): string | undefined {
  const pointers: string[] = [];
  const search = (value: Json, at: string): void => {
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      const pointer = `${at}/${escapeMember(key)}`;
      if (key === name && typeof member === 'string') pointers.push(pointer);
      if (member !== undefined) search(member, pointer);
    }
  };
  if (example !== undefined) search(example.value, '');
  return pointers.length === 1 ? pointers[0] : undefined;
}

import type { Cursor } from '../../json/cursor.ts';
import type { Pointer } from '../../json/pointer.ts';
import { diagnose } from '../../documents/diagnose.ts';
import { quote } from '../../diagnostics/quote.ts';
import { methodsByKey } from '../../specification/message-place.ts';
import type { OperationPlace } from '../../specification/operation-places.ts';
import type { Contract } from '../contract.ts';
import { nameCredentials } from '../credentials.ts';
import { toMemberName } from '../names.ts';
import { deliveredMessages, deliveredWebhooks } from './notifications.ts';
import type { NamingContext } from './take-names.ts';

/** A notification whose name is that of others too. */
interface SharingPlace {
  /** The name that others have. */
  readonly name: string;
  /** The name with that of an operation or a channel. */
  readonly id: string;
  readonly pointer: Pointer;
}

/**
 * Reports notifications whose handlers are named after an operation or a channel too, because others have their names:
 * one of them alone would have another name.
 */
export function reportSharedNames(
  deliveries: readonly OperationPlace[],
  asyncapi: Cursor,
  action: 'send' | 'receive',
  { documents, diagnostics }: NamingContext,
): void {
  const isLabelled = action === 'receive';
  const methods = methodsByKey(deliveries);
  const places: readonly SharingPlace[] = [
    ...deliveredWebhooks(deliveries, isLabelled).flatMap(({ sharedName, key, id, pointer }) => {
      const isOneOfMany = !isLabelled && (methods.get(key)?.size ?? 0) > 1;
      return sharedName === undefined && !isOneOfMany
        ? []
        : { name: sharedName ?? key, id, pointer };
    }),
    ...deliveredMessages(asyncapi, action).flatMap(({ name, id, operation: { pointer } }) =>
      name === id ? [] : { name, id, pointer },
    ),
  ];
  for (const [name, alike] of Map.groupBy(places, (place) => place.name)) {
    const [first, ...others] = alike;
    if (first === undefined) continue;
    const { file, line } = documents.locate(first.pointer);
    for (const { id, pointer } of others)
      diagnostics.push(
        diagnose(documents, 'name-collision', {
          pointer,
          message: `The notification ${quote(name)} here and that in ${file}:${line} are the handlers ${toMemberName(id)} and ${toMemberName(first.id)}: one of them alone would be ${toMemberName(name)}.`,
          help: 'Nothing has to be done. If both are to keep their handlers when one of them is removed, give each a name of its own.',
          severity: 'info',
        }),
      );
  }
}

/** Reports credentials that are named after their operations or have marks, because others would have their names. */
export function reportSharedCredentials(
  contract: Contract,
  { documents, diagnostics }: NamingContext,
): void {
  const named = nameCredentials(contract);
  for (const [name, alike] of Map.groupBy(named, ({ wanted }) => wanted)) {
    const [first, ...others] = alike;
    if (first === undefined) continue;
    const { file, line } = documents.locate(first.pointer);
    for (const { pointer, credential } of others)
      diagnostics.push(
        diagnose(documents, 'name-collision', {
          pointer,
          message: `The one here and the one in ${file}:${line} are the credentials ${credential.name} and ${first.credential.name}: one of them alone would be ${name}.`,
          help: 'Nothing has to be done. A security scheme or a key can have another name.',
          severity: 'info',
        }),
      );
  }
}

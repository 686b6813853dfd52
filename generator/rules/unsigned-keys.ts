import type { Contract } from '../contract/contract.ts';
import { findRead, type Read } from '../recognition/reads.ts';
import { signaturesWithout } from '../contract/signature-cover.ts';
import { listTexts } from '../diagnostics/list-texts.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Cursor } from '../json/cursor.ts';
import type { Pointer } from '../json/pointer.ts';
import { cursorAt } from '../documents/places.ts';
import { choicesOf, unstatedEntries, type UnstatedEntry } from '../documents/unstated-entries.ts';
import type { ContractRule } from './rule.ts';

/**
 * Checks that the signature of a notification covers what its duplicates are recognized by, and what its order is
 * decided by. Otherwise, an attacker who captured a delivery could change that value, and have the delivery handled again or in
 * another order.
 */
export const unsignedKeys: ContractRule = {
  codes: ['unsigned-key'],
  *check({ contract, documents }) {
    const ledger = unstatedEntries(documents);
    for (const notification of contract.notifications) {
      const message = cursorAt(documents, notification.pointer);
      for (const [key, effect] of Object.entries(effects)) {
        for (const { expression, pointer } of keysAt(message.child(key), ledger)) {
          const read = findRead(expression);
          if (read === undefined) continue;
          const carrier = carrierOf(contract, read);
          if (carrier !== undefined) {
            yield {
              pointer,
              message: `${quote(key)} reads ${quote(expression)}, the header of the signature ${quote(carrier)}: one delivery can have several valid signatures, such as those of ECDSA, so with another one a captured delivery ${effect}.`,
            };
            continue;
          }
          const names = signaturesWithout(contract, notification, read);
          if (names.length === 0) continue;
          const signatures = names.length === 1 ? 'the signature' : 'the signatures';
          const verb = names.length === 1 ? 'does' : 'do';
          yield {
            pointer,
            message: `${quote(key)} reads ${quote(expression)}, which ${signatures} ${listTexts(names.map(quote), 'and')} ${verb} not cover: with another value there, a captured delivery ${effect}.`,
          };
        }
      }
    }
  },
};

/** Returns the name of the signature that a header carries. */
function carrierOf({ security }: Contract, read: Read): string | undefined {
  if (typeof read !== 'object' || !('header' in read)) return undefined;
  return security.find(
    ({ id, parameterName, signature }) =>
      signature !== undefined && (parameterName ?? id).toLowerCase() === read.header,
  )?.id;
}

const effects = {
  'x-dedupe-by': 'is handled again',
  'x-ordered-by': 'is handled in another order',
} as const;

interface KeyExpression {
  readonly expression: string;
  readonly pointer: Pointer;
}

/** Returns the expressions of a key. For an open question, returns those of all choices. */
function keysAt(at: Cursor, ledger: readonly UnstatedEntry[]): readonly KeyExpression[] {
  const entry = ledger.find(({ id }) => id === at.text('unstated'));
  if (entry === undefined) return at.items().flatMap((item) => toKey(item.value, item.pointer));
  const settled = entry.at.text('settled');
  return choicesOf(entry)
    .filter(({ name }) => settled === undefined || settled === name)
    .flatMap(({ value, pointer }) => {
      const listed: readonly unknown[] = Array.isArray(value) ? value : [];
      return listed.flatMap((item) => toKey(item, pointer));
    });
}

function toKey(expression: unknown, pointer: Pointer): readonly KeyExpression[] {
  return typeof expression === 'string' ? [{ expression, pointer }] : [];
}

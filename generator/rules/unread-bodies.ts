import { isRangeOfText, kindOf, typeOf } from '../specification/media-type.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/** Reports notifications whose body a receiver cannot read: it reads JSON and forms. */
export const unreadBodies: ContractRule = {
  codes: ['unread-body'],
  *check({ contract }) {
    for (const { id, pointer, representations } of contract.notifications) {
      const described = representations.filter(({ schema }) => schema !== undefined);
      const unread = described.filter(
        ({ mediaType, isQuery }) =>
          isQuery !== true && kindOf(mediaType) !== 'form' && !isReadAsJson(mediaType),
      );
      const is = unread.length === described.length ? 'is' : 'can be';
      for (const { mediaType } of unread)
        yield {
          pointer,
          message: `The body of ${quote(id)} ${is} ${quote(mediaType)}, which a receiver does not read: it refuses such a delivery with 400.`,
        };
    }
  },
};

/** Returns whether a body of a media type can be JSON. Receivers do not check the media type. */
function isReadAsJson(mediaType: string): boolean {
  return (
    kindOf(mediaType) === 'json' ||
    isRangeOfText(mediaType) ||
    ['text/plain', 'application/octet-stream'].includes(typeOf(mediaType))
  );
}

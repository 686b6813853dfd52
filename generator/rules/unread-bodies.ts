import { isRangeOfText, kindOf, typeOf } from '../specification/media-type.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/** Reports notifications whose body a receiver cannot read: it reads JSON and forms. */
export const unreadBodies: ContractRule = {
  codes: ['unread-body'],
  *check({ contract }) {
    for (const { id, pointer, encoding, contentType } of contract.notifications) {
      if (encoding !== undefined || isReadAsJson(contentType)) continue;
      yield {
        pointer,
        message: `The body of ${quote(id)} is ${quote(contentType)}, which a receiver does not read: it refuses such a delivery with 400.`,
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

import { isJsonMediaType } from '../recognition/data-format.ts';
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
    isJsonMediaType(mediaType) ||
    mediaType.includes('*') ||
    /^(?:text\/plain|text\/json|application\/octet-stream)\b/iu.test(mediaType)
  );
}

import type { Representation } from '../contract/contract.ts';
import { isOfTypes } from '../schema/declared-properties.ts';
import { indexSchemas, type SchemaIndex, toReference } from '../schema/references.ts';
import { isRangeOfText, kindOf, typeOf } from '../specification/media-type.ts';
import { quote } from '../diagnostics/quote.ts';
import type { ContractRule } from './rule.ts';

/** Reports notifications whose body a receiver cannot read: it reads JSON and forms. */
export const unreadBodies: ContractRule = {
  codes: ['unread-body'],
  *check({ contract }) {
    const index = indexSchemas(contract);
    for (const { id, pointer, representations } of contract.notifications) {
      const described = representations.filter(({ schema }) => schema !== undefined);
      const unread = described.filter(
        (one) =>
          one.isQuery !== true && kindOf(one.mediaType) !== 'form' && !isReadAsJson(one, index),
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

/**
 * Returns whether a body can be JSON. Receivers do not check the media type, and some services send JSON as text. A text or
 * bytes that are no JSON are described by a schema of texts.
 */
function isReadAsJson({ kind, mediaType, schema }: Representation, index: SchemaIndex): boolean {
  const isJson = kindOf(mediaType) === 'json';
  const isText = schema !== undefined && isOfTypes(index, toReference(schema), new Set(['string']));
  if (isText) return isJson && kind !== 'binary';
  return (
    isJson ||
    isRangeOfText(mediaType) ||
    ['text/plain', 'application/octet-stream'].includes(typeOf(mediaType))
  );
}

import type { Cursor } from '../../json/cursor.ts';
import type { Json } from '../../json/json.ts';
import { isXml, kindOf, typeOf } from '../../specification/media-type.ts';
import { findRead } from '../../recognition/reads.ts';
import { messagesOf } from '../../specification/message-place.ts';
import { inherited, withTraits } from '../../specification/traits.ts';
import type { Answer, AnswerValue, SuccessResponse } from '../contract.ts';

/** Maximum nesting depth of schemas that state a body. References can be endless. */
const maxDepth = 8;

/**
 * Returns the responses to an accepted delivery, with the bodies of which their schemas state every required value: by
 * `const`, by an `enum` with one value, or by `x-echoes`. `default` describes them where it is the only response.
 */
export function lowerSuccesses(responses: Cursor): readonly SuccessResponse[] {
  const declared = responses.entries();
  return declared
    .filter(
      ([status]) =>
        /^2(?:\d\d|XX)$/iu.test(status) || (/^default$/iu.test(status) && declared.length === 1),
    )
    .map(([status, response]) => {
      const content = response.follow().entries('content');
      return toSuccess(
        status,
        content.map(([mediaType, at]) => [mediaType, at.follow().child('schema')] as const),
      );
    });
}

/**
 * Returns the responses to an accepted delivery of an AsyncAPI operation: the messages of its reply that state a status in
 * their binding of HTTP.
 * @param contentTypeOf returns the media type of a message
 */
export function lowerReplies(
  operation: Cursor,
  contentTypeOf: (message: Cursor) => string,
): readonly SuccessResponse[] {
  const reply = operation.child('reply').follow();
  if (reply.value === undefined) return [];
  const messages = messagesOf(reply, reply.child('channel').follow()).map((at) => at.follow());
  const byStatus = Map.groupBy(messages, (message) => statusOf(message));
  return [...byStatus].flatMap(([status, ofStatus]) =>
    status === undefined || !/^2\d\d$/u.test(status)
      ? []
      : [
          toSuccess(
            status,
            ofStatus.map((message) => [contentTypeOf(message), inherited(message, 'payload')]),
          ),
        ],
  );
}

/** Returns the status that a message, or a trait of it, binds. */
function statusOf(message: Cursor): string | undefined {
  return withTraits(message)
    .map((part) => part.child('bindings').follow().child('http').follow().valueIn('statusCode'))
    .find((value) => typeof value === 'number')
    ?.toString();
}

/** @param content the schemas of the body by media type */
function toSuccess(
  status: string,
  content: readonly (readonly [mediaType: string, schema: Cursor])[],
): SuccessResponse {
  const code = /^\d+$/u.test(status) ? Number(status) : 200;
  return {
    status: /^default$/iu.test(status) ? '2XX' : status.toUpperCase(),
    answers: content.flatMap(([mediaType, schema]): readonly Answer[] => {
      const isJson = kindOf(mediaType) === 'json';
      const isWritten = (isJson || isText(mediaType)) && !withoutBody.has(code);
      const value = isWritten ? valueOf(schema, !isJson, 0) : undefined;
      // An echo in markup could be code.
      if (value === undefined || (isXml(mediaType) && !('fixed' in value))) return [];
      return [{ status: code, mediaType, value, pointer: schema.pointer }];
    }),
  };
}

/** The statuses of responses that have no body (RFC 9110, section 15.3). */
const withoutBody: ReadonlySet<number> = new Set([204, 205]);

/** Returns whether a body is a text that receivers write. */
function isText(mediaType: string): boolean {
  return typeOf(mediaType) === 'text/plain' || isXml(mediaType);
}

/** @param isScalar whether the value is a text, which has no members */
function valueOf(place: Cursor, isScalar: boolean, depth: number): AnswerValue | undefined {
  const schema = place.follow();
  const constant = constantOf(schema);
  if (constant !== undefined)
    return isScalar && typeof constant !== 'string' ? undefined : { fixed: constant };
  const echoed = schema.text('x-echoes');
  if (echoed !== undefined && findRead(echoed) !== undefined)
    return { echoes: echoed, pointer: schema.child('x-echoes').pointer };
  const parts = schema.items('allOf');
  const [part] = parts;
  if (depth >= maxDepth || isScalar) return undefined;
  if (parts.length === 1 && part !== undefined) return valueOf(part, isScalar, depth + 1);
  const required = schema.texts('required');
  if (required.length === 0 || parts.length > 0) return undefined;
  const members = required.flatMap((name) => {
    const member = valueOf(schema.child('properties', name), isScalar, depth + 1);
    return member === undefined ? [] : [[name, member] as const];
  });
  return members.length === required.length ? { members } : undefined;
}

function constantOf(schema: Cursor): Json | undefined {
  const constant = schema.valueIn('const');
  if (constant !== undefined) return constant;
  const values = schema.valueIn('enum');
  return Array.isArray(values) && values.length === 1 ? (values[0] as Json) : undefined;
}

import type { Cursor } from '../../json/cursor.ts';
import type { Json } from '../../json/json.ts';
import { kindOf, typeOf } from '../../specification/media-type.ts';
import { findRead } from '../../recognition/reads.ts';
import type { Answer, AnswerValue, SuccessResponse } from '../contract.ts';

/** Maximum nesting depth of schemas that state a body. References can be endless. */
const maxDepth = 8;

/**
 * Returns the responses to an accepted delivery, with the bodies of which their schemas state every required value: by
 * `const`, by an `enum` with one value, or by `x-echoes`.
 */
export function lowerSuccesses(responses: Cursor): readonly SuccessResponse[] {
  return responses
    .entries()
    .filter(([status]) => /^2(?:\d\d|XX)$/iu.test(status))
    .map(([status, response]) => ({
      status: status.toUpperCase(),
      answers: response
        .follow()
        .entries('content')
        .flatMap(([mediaType, content]): readonly Answer[] => {
          const schema = content.follow().child('schema');
          const value = isWritable(mediaType) ? valueOf(schema, isText(mediaType), 0) : undefined;
          if (value === undefined) return [];
          const code = /^\d+$/u.test(status) ? Number(status) : 200;
          return [{ status: code, mediaType, value, pointer: schema.pointer }];
        }),
    }));
}

/** Returns whether a receiver writes bodies of a media type. Markup is excluded: an echo in it could be code. */
function isWritable(mediaType: string): boolean {
  return kindOf(mediaType) === 'json' || isText(mediaType);
}

function isText(mediaType: string): boolean {
  return typeOf(mediaType) === 'text/plain';
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

import { undeclared } from './bodies.ts';
import { ClientError } from './client-error.ts';
import type { Input, OperationData } from './operation.ts';
import { readBody } from './read-body.ts';

/** An encoded body. It is encoded once for all attempts, so that the sent bytes are the signed ones. */
export interface EncodedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
}

/**
 * Encodes the body of a call as the contract specifies.
 * @param signal cancels a body that is a stream when it is aborted. The result is then a part of the body
 * @throws ClientError `invalid-input` for a body that is missing, not declared or cannot be written
 */
export async function encodeBody(
  { body, responses }: OperationData,
  { body: value, mediaType }: Input,
  signal: AbortSignal,
): Promise<EncodedBody> {
  if (value === undefined) {
    if (body?.required === true) throw fault('is missing');
    return { bytes: new Uint8Array(), contentType: null };
  }
  const content = body?.content ?? {};
  const type = mediaType ?? Object.keys(content)[0] ?? '';
  const encode = Object.hasOwn(content, type) ? content[type] : undefined;
  if (encode === undefined && responses !== undefined)
    throw fault('has a media type that the contract does not declare');
  try {
    const bodyResponse = encode === undefined ? undeclared(value) : encode(value, type);
    return {
      bytes: await readBody(bodyResponse.body, Infinity, signal),
      contentType: bodyResponse.headers.get('content-type'),
    };
  } catch (error) {
    throw fault(error instanceof TypeError ? error.message : 'cannot be encoded');
  }
}

function fault(what: string): ClientError {
  return new ClientError('invalid-input', `The body ${what}.`);
}

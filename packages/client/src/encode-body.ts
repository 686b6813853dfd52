import { undeclared } from './bodies.ts';
import { ClientError } from './client-error.ts';
import type { Input, OperationData } from './operation.ts';

/** An encoded body. It is encoded once for all attempts, so that the sent bytes are the signed ones. */
export interface EncodedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
}

/**
 * Encodes the body of a call as the contract specifies.
 * @throws ClientError `invalid-input` for a body that is missing, not declared or cannot be written
 */
export async function encodeBody(
  { body, responses }: OperationData,
  { body: value, mediaType }: Input,
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
    const written = encode === undefined ? undeclared(value) : encode(value, type);
    return {
      bytes: new Uint8Array(await written.arrayBuffer()),
      contentType: written.headers.get('content-type'),
    };
  } catch (error) {
    throw fault(error instanceof TypeError ? error.message : 'cannot be encoded');
  }
}

function fault(what: string): ClientError {
  return new ClientError('invalid-input', `The body ${what}.`);
}

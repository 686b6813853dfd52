import { ClientError, type ClientErrorCode, type FailedCall } from './client-error.ts';
import { fromBytes, fromJson, fromText } from './decoders.ts';
import type { Answer, BodyDecoder, ByResponse, OperationData } from './operation.ts';

/** A response whose body has been read. */
export interface Received {
  readonly code: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Makes the answer that the contract declares of a response; throws a ClientError where it declares none. */
export function toAnswer(operation: OperationData, received: Received, about: FailedCall): Answer {
  const { id, responses, checks } = operation;
  const { code, headers, bytes } = received;
  const fault = (kind: ClientErrorCode, what: string, more?: FailedCall): ClientError =>
    new ClientError(kind, `${id}: ${what}.`, { ...about, status: code, headers, ...more });
  // What the contract does not state may answer with anything, as long as it is a success.
  const declared: ByResponse<BodyDecoder | undefined> = responses ?? {
    '2XX': { '*/*': undefined },
  };
  const status = [`${code}`, `${code}`[0] + 'XX', 'default'].find((key) =>
    Object.hasOwn(declared, key),
  );
  if (status === undefined) {
    if (code === 0 || (code >= 300 && code < 400))
      throw fault('redirected', 'the answer leads elsewhere, and was not followed');
    throw fault('unexpected-status', `the status ${code} is not declared`, {
      body: tryToRead(received),
    });
  }
  const content = declared[status] ?? {};
  const mediaTypes = Object.keys(content);
  if (mediaTypes.length === 0 || (bytes.length === 0 && responses === undefined))
    return { status, code, headers, mediaType: undefined, body: undefined };
  const given = headers.get('content-type');
  const mediaType = selectMediaType(mediaTypes, given);
  if (mediaType === undefined)
    throw fault('unexpected-content', 'its media type is not declared', {
      body: tryToRead(received),
    });
  let body: unknown;
  try {
    body = (content[mediaType] ?? decoderOf(given))(bytes);
  } catch {
    // The parser's message would quote the body.
    throw fault('invalid-response', 'the body cannot be read as its media type says');
  }
  try {
    checks?.[status]?.[mediaType]?.(body);
  } catch (cause) {
    throw fault('invalid-response', 'the body is not what the contract says', { cause, body });
  }
  return { status, code, headers, mediaType, body };
}

/** The declared media type that fits best: itself, its structure (`+json`), its range; the only one where none is given. */
function selectMediaType(declared: readonly string[], given: string | null): string | undefined {
  if (given === null) return declared.length === 1 ? declared[0] : undefined;
  const type = essence(given);
  const [major] = type.split('/');
  return (
    declared.find((candidate) => essence(candidate) === type) ??
    declared.find((candidate) => isJson(candidate) && isJson(type)) ??
    declared.find((candidate) => candidate === `${major}/*`) ??
    declared.find((candidate) => candidate === '*/*')
  );
}

function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(essence(mediaType));
}

function decoderOf(mediaType: string | null): BodyDecoder {
  if (mediaType === null) return fromBytes;
  if (isJson(mediaType)) return fromJson;
  return mediaType.startsWith('text/') ? fromText : fromBytes;
}

function tryToRead({ headers, bytes }: Received): unknown {
  try {
    return decoderOf(headers.get('content-type'))(bytes);
  } catch {
    return bytes;
  }
}

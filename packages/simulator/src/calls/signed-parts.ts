import type { SignatureScheme } from '@countersign/runtime/signing';
import type { SignatureReport } from '../entry.ts';
import type { ReceivedCall } from './received-call.ts';

/** A signed part of a call with its bytes. */
export interface SignedPartValue {
  /** The runtime expression; for constant text, the text in quotes. */
  readonly expression: string;
  readonly isText: boolean;
  readonly bytes: Buffer;
}

/** Returns the parts of a call that a scheme signs. What is missing has no bytes. */
export function signedPartsOf(
  { over, timestamp }: SignatureScheme,
  call: ReceivedCall,
  timestampText: string | undefined,
): readonly SignedPartValue[] {
  return over.map((part) => {
    if (typeof part === 'object')
      return { expression: JSON.stringify(part.text), isText: true, bytes: Buffer.from(part.text) };
    const stampHeader = timestamp?.header;
    const isStamp =
      stampHeader !== undefined &&
      part.toLowerCase() === `$request.header.${stampHeader.toLowerCase()}`;
    return {
      expression: part,
      isText: false,
      bytes: bytesOf(isStamp ? '$timestamp' : part, call, timestampText),
    };
  });
}

/** Returns the bytes of a runtime expression. */
export function bytesOf(expression: string, call: ReceivedCall, timestampText = ''): Buffer {
  const { body, method, path, query, url } = call;
  const target = query === '' ? path : `${path}?${query}`;
  switch (expression) {
    case '$request.body':
      return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    case '$method':
      return Buffer.from(method);
    case '$timestamp':
      return Buffer.from(timestampText);
    case '$url':
      return Buffer.from(url);
    case '$url.path':
    // The address of the simulated service has no path.
    case '$url.path-base':
      return Buffer.from(path);
    case '$url.path+query':
      return Buffer.from(target);
    case '$url.host+path':
      return Buffer.from(url.replace(/^https?:\/\//u, '').replace(/\?.*$/su, ''));
    default: {
      const name = expression.replace(/^\$request\.header\./u, '').toLowerCase();
      return Buffer.from(call.headers(name)[0] ?? '', 'latin1');
    }
  }
}

/** The maximum number of bytes of a part in a report; the body is in the entry as a whole. */
const maximumReportedPart = 1024;

/** Returns the parts for a report. Constant text that is empty is left out. */
export function reportParts(parts: readonly SignedPartValue[]): SignatureReport['parts'] {
  return parts.flatMap(({ expression, isText, bytes }) =>
    isText && bytes.length === 0
      ? []
      : [{ expression, text: bytes.subarray(0, maximumReportedPart).toString() }],
  );
}

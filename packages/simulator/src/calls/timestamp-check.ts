import {
  parseTimestamp,
  type SignatureScheme,
  type TimestampFormat,
  writeTimestamp,
} from '@countersign/runtime/signing';
import type { CheckStep } from '../entry.ts';
import type { OpenQuestion, SentSignature } from '../service.ts';
import type { ReceivedCall } from './received-call.ts';
import { failed, passed } from './scheme-check.ts';
import { answerFor } from './signature-alternatives.ts';
import { nameOfFormat, timestampFormats } from './timestamp-text.ts';

/** Returns the format that a timestamp is written in, the contract's if it is that one. */
export function detectFormat(
  timestamp: string | undefined,
  scheme: SignatureScheme,
): TimestampFormat | undefined {
  if (timestamp === undefined || scheme.timestamp === undefined) return undefined;
  return [scheme.timestamp.format, ...timestampFormats].find(
    (format) => !Number.isNaN(parseTimestamp(timestamp, format)),
  );
}

/** Checks the timestamp of a call: its presence, its format and its age. */
export function checkTimestamp(
  call: ReceivedCall,
  scheme: SignatureScheme,
  data: SentSignature,
  timestamp: string | undefined,
  now: number,
  questions: readonly OpenQuestion[],
): CheckStep | undefined {
  if (scheme.timestamp === undefined) return undefined;
  const { header, format, tolerance } = scheme.timestamp;
  const place =
    header === undefined ? `the header \`${scheme.header}\`` : `the header \`${header}\``;
  const example = writeTimestamp(Math.floor(now), format);
  const write = `Write the current time as ${nameOfFormat(format)} in ${place}, such as \`${example}\`.`;
  if (timestamp === undefined || timestamp === '')
    return failed(
      'timestamp',
      'missing-timestamp',
      `The timestamp is missing from ${place}.`,
      write,
    );
  if (header !== undefined && call.headers(header.toLowerCase()).length > 1)
    return failed(
      'timestamp',
      'repeated-timestamp',
      `There is more than one timestamp in ${place}.`,
      write,
    );
  const instant = parseTimestamp(timestamp, format);
  if (Number.isNaN(instant)) {
    const detectedFormat = detectFormat(timestamp, scheme);
    if (detectedFormat === undefined)
      return failed(
        'timestamp',
        'malformed-timestamp',
        `The timestamp in ${place} is not ${nameOfFormat(format)}.`,
        write,
      );
    const name = nameOfFormat(detectedFormat);
    const answer = answerFor(detectedFormat, data.timestamp?.format, questions);
    const accept =
      answer === undefined
        ? ''
        : ` If the service accepts ${name}, start the simulator with \`${answer}\`.`;
    return failed(
      'timestamp',
      `timestamp-in-${typeof detectedFormat === 'string' ? detectedFormat : 'a-pattern'}`,
      `The timestamp in ${place} is ${name} instead of ${nameOfFormat(format)}.`,
      write + accept,
    );
  }
  const age = now - instant;
  if (Math.abs(age) <= 1000 * tolerance) return passed('timestamp', 'The timestamp is current.');
  const seconds = Math.round(Math.abs(age) / 1000);
  return failed(
    'timestamp',
    age > 0 ? 'timestamp-too-old' : 'timestamp-too-new',
    `The timestamp is ${seconds} seconds ${age > 0 ? 'behind' : 'ahead of'} the clock of the simulator. The maximum is ${tolerance}.`,
    'Synchronize the clock of the client, and make a new timestamp and signature for every attempt.',
  );
}

import {
  createVerifier,
  parseTimestamp,
  type SignatureScheme,
  type TimestampFormat,
  type VerificationFailure,
} from '@countersign/runtime/signing';
import type { SimulatorContext } from '../context.ts';
import type { CheckStep, SignatureReport } from '../entry.ts';
import type { ServedScheme, SentSignature } from '../service.ts';
import { toNotSignable, toSecretScheme } from '../sending/signature-scheme.ts';
import { explainSignature } from './deviations.ts';
import type { ReceivedCall } from './received-call.ts';
import { failed, passed, type SchemeCheck } from './scheme-check.ts';
import { alternativeSchemes } from './signature-alternatives.ts';
import { readSignatureHeader } from './signature-header.ts';
import { reportParts, signedPartsOf } from './signed-parts.ts';
import { checkTimestamp, detectFormat } from './timestamp-check.ts';
import { timestampFormats } from './timestamp-text.ts';

/** Accepts every timestamp: whether it is current is a check of its own. */
const anyAge = Number.MAX_VALUE;

/**
 * Compiles the check of a signature and its timestamp.
 * @throws SimulatorError `not-signable` for a scheme or key that is not valid
 */
export function compileSignature(
  { id, credential = id }: ServedScheme,
  data: SentSignature,
  key: string,
  context: SimulatorContext,
): SchemeCheck {
  const { clock, options, description } = context;
  const now = options.sharedClock === true ? () => clock.now() : () => Date.now();
  const scheme = toSecretScheme(data, (value) => context.settle(value));
  const alternatives = alternativeSchemes(data, scheme, context);
  const verifiers = verifiersOf(scheme, key, now);
  const header = scheme.header.toLowerCase();
  const ok =
    scheme.timestamp === undefined ? [] : [passed('timestamp', 'The timestamp is current.')];

  const explain = (
    call: ReceivedCall,
    timestamp: string | undefined,
    format: TimestampFormat | undefined,
    reason: VerificationFailure,
  ): CheckStep => {
    const received = call.headers(header)[0] ?? '';
    const parts = signedPartsOf(scheme, call, timestamp);
    const { signatures } = readSignatureHeader(scheme, received);
    const instant =
      timestamp === undefined || format === undefined
        ? undefined
        : parseTimestamp(timestamp, format);
    const { isExpected, differsAt, deviations } = explainSignature(
      { scheme, key, call, parts, instant, timestamp },
      signatures,
      received,
      alternatives,
    );
    if (isExpected && reason !== 'ambiguous-framing' && reason !== 'missing-header')
      return { ...passed('signature', 'The signature is right.'), signature: reportOf(call) };
    const [first] = deviations;
    const { code, message, fix } = describe(reason, scheme, credential);
    const signature = {
      parts: reportParts(parts),
      received: received.slice(0, 512),
      ...(differsAt === undefined ? {} : { differsAt }),
      deviations,
    };
    if (first === undefined) return { ...failed('signature', code, message, fix), signature };
    return {
      ...failed('signature', first.code, `The signature is wrong; it ${first.message}.`, first.fix),
      signature,
    };
  };

  const reportOf = (call: ReceivedCall): SignatureReport => {
    const received = call.headers(header)[0] ?? '';
    return {
      parts: reportParts(signedPartsOf(scheme, call, timestampOf(scheme, call))),
      received: received.slice(0, 512),
      deviations: [],
    };
  };

  return {
    rank: 3,
    isPresent: (call) => call.headers(header).length > 0,
    async check(call) {
      const stated = verifiers.get('stated');
      const verified = await stated?.verify(call);
      if (verified?.ok === true)
        return [
          ...ok,
          { ...passed('signature', 'The signature is right.'), signature: reportOf(call) },
        ];
      const timestamp = timestampOf(scheme, call);
      const format = detectFormat(timestamp, scheme);
      const stamp = checkTimestamp(call, scheme, data, timestamp, now(), description.unstated);
      const lax = await verifiers.get(typeof format === 'string' ? format : 'any')?.verify(call);
      const signature: CheckStep =
        lax?.ok === true
          ? { ...passed('signature', 'The signature is right.'), signature: reportOf(call) }
          : explain(call, timestamp, format, lax?.reason ?? 'signature-mismatch');
      return stamp === undefined ? [signature] : [stamp, signature];
    },
  };
}

/** Returns a verifier of the scheme, and one for each format of timestamps that accepts timestamps of every age. */
function verifiersOf(
  scheme: SignatureScheme,
  key: string,
  clock: () => number,
): ReadonlyMap<string, ReturnType<typeof createVerifier>> {
  const { timestamp } = scheme;
  try {
    const keys = [key];
    const stated = createVerifier(scheme, { keys, clock });
    if (timestamp === undefined)
      return new Map([
        ['stated', stated],
        ['any', stated],
      ]);
    return new Map<string, ReturnType<typeof createVerifier>>([
      ['stated', stated],
      ['any', createVerifier(scheme, { keys, clock, toleranceMs: anyAge })],
      ...timestampFormats.map(
        (format) =>
          [
            format,
            createVerifier(
              { ...scheme, timestamp: { ...timestamp, format } },
              { keys, clock, toleranceMs: anyAge },
            ),
          ] as const,
      ),
    ]);
  } catch (error) {
    throw toNotSignable(error);
  }
}

function timestampOf(scheme: SignatureScheme, call: ReceivedCall): string | undefined {
  const { timestamp, header } = scheme;
  if (timestamp === undefined) return undefined;
  if (timestamp.header !== undefined) return call.headers(timestamp.header.toLowerCase())[0];
  const value = call.headers(header.toLowerCase())[0] ?? '';
  // A value in quotes is refused, and explained with the timestamp in it.
  return readSignatureHeader(scheme, withoutQuotes(value)).timestamp;
}

function describe(
  reason: VerificationFailure,
  { header, value, encoding }: SignatureScheme,
  credential: string,
): { readonly code: string; readonly message: string; readonly fix: string } {
  switch (reason) {
    case 'missing-signature':
      return {
        code: reason,
        message: `The header \`${header}\` is missing.`,
        fix: `Sign the request, and send the signature in \`${header}\`.`,
      };
    case 'repeated-header':
      return {
        code: reason,
        message: `The header \`${header}\`, or one that is signed, occurs more than once.`,
        fix: 'Send every signed header once.',
      };
    case 'missing-header':
      return {
        code: 'missing-signed-header',
        message: 'A header that is signed is missing.',
        fix: 'Send every header that is signed. The parts below show which one is empty.',
      };
    case 'ambiguous-framing':
      return {
        code: reason,
        message:
          'Another request would have the same signature: the end of a signed part cannot be determined.',
        fix: 'Send one JSON object or array, or form text with `/` percent-encoded, as the body.',
      };
    case 'malformed-signature':
      return {
        code: reason,
        message: `The signature is not \`${value}\` in ${encoding}. No known deviation explains it.`,
        fix: `Write the bytes of the HMAC in ${encoding}, and the header's value as \`${value}\`.`,
      };
    default:
      return {
        code: 'signature-mismatch',
        message: 'The signature is wrong. No known deviation explains it.',
        fix: `Check that the key is the credential \`${credential}\`, which the simulator prints at its start, and compare the signed text, which the console shows, with what you sign.`,
      };
  }
}

function withoutQuotes(text: string): string {
  const isQuoted = text.length > 1 && /^["'`]/u.test(text) && text.endsWith(text[0] ?? '');
  return isQuoted ? text.slice(1, -1) : text;
}

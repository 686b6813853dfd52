import { createVerifier, type KeyPairScheme } from '@countersign/runtime/signing/key-pairs';
import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import { readKeyPair } from '../key-pairs.ts';
import type { ServedScheme } from '../service.ts';
import { toNotSignable } from '../sending/signature-scheme.ts';
import { failed, passed, type SchemeCheck } from './scheme-check.ts';

/**
 * Compiles the check of a signature with a key pair. The service has the public key of the credential.
 * @throws SimulatorError `not-signable` for a scheme or key that is not valid
 */
export function compileKeyPairSignature(
  { id, credential = id }: ServedScheme,
  scheme: KeyPairScheme,
  key: string,
  { clock, options }: SimulatorContext,
): SchemeCheck {
  const now = options.sharedClock === true ? () => clock.now() : () => Date.now();
  const header = scheme.header.toLowerCase();
  const { publicKey } = readKeyPair(key, scheme, credential);
  const verify = createChecked(() => createVerifier(scheme, { keys: [publicKey], clock: now }));
  return {
    rank: 3,
    isPresent: (call) => call.headers(header).length > 0,
    async check(call): Promise<readonly CheckStep[]> {
      const verification = await verify.verify(call);
      if (verification.ok) {
        const step = passed('signature', 'The signature is right.');
        return scheme.timestamp === undefined
          ? [step]
          : [passed('timestamp', 'The timestamp is current.'), step];
      }
      const { reason } = verification;
      const isTime = reason.startsWith('timestamp-') || reason.endsWith('-timestamp');
      const what = isTime ? 'timestamp' : 'signature';
      const fix = isTime
        ? 'Send the current time in the format of the contract.'
        : `Sign the parts that the contract states, in their order, with ${scheme.algorithm} and the private key \`${credential}\`.`;
      return [failed(what, reason, `The ${what} is refused: ${reason}.`, fix)];
    },
  };
}

function createChecked<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    throw toNotSignable(error);
  }
}

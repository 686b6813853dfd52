import { SigningError } from '@countersign/runtime/signing';
import { type BodySignatureScheme, createBodySigner } from '@countersign/runtime/signing/body';
import { SimulatorError } from './simulator-error.ts';

/** Returns a body with its signatures. */
export type SignBody = (body: Uint8Array) => Uint8Array;

/**
 * Creates a function that writes the signatures of a scheme into bodies, and changes nothing else in them. It throws a
 * SimulatorError (`not-signable`) for a body that receivers would refuse with every signature.
 * @param id the id of the security scheme
 * @throws SimulatorError `not-signable` for a key that is not valid
 */
export function createSignBody(id: string, scheme: BodySignatureScheme, key: string): SignBody {
  const signer = attempt(() => createBodySigner(scheme, { key }), id, scheme);
  return (body) =>
    attempt(
      () => {
        const signed = signer.sign(decode(body));
        // The types allow for the Web Crypto API, which Node does not use here.
        if (typeof signed !== 'string') throw new TypeError('HMAC is not synchronous.');
        return new TextEncoder().encode(signed);
      },
      id,
      scheme,
    );
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new SigningError('body-not-bytes', 'The body is not UTF-8.', 'body');
  }
}

function attempt<T>(sign: () => T, id: string, scheme: BodySignatureScheme): T {
  try {
    return sign();
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    throw new SimulatorError('not-signable', describe(error, id, scheme), { cause: error });
  }
}

function describe(
  { code, member = '', message }: SigningError,
  id: string,
  { separator }: BodySignatureScheme,
): string {
  if (code !== 'ambiguous-framing' && code !== 'body-not-bytes') return message;
  const reason =
    member === 'body'
      ? 'it is not JSON in UTF-8'
      : code === 'ambiguous-framing'
        ? `${member} contains ${JSON.stringify(separator)}, which separates the signed members`
        : `nothing can be signed at ${member}`;
  return `The body cannot have the signature ${id}: ${reason}. To send it without, set \`authentication.signature\` to false (\`--no-signature\`).`;
}

import { chooseAnswers, settle } from '../../answers.ts';
import type { ServedScheme, Service } from '../../service.ts';
import { bodySignature } from './body-signature.ts';
import { certificate } from './certificate.ts';
import type { DeliveryProof, KeyUse } from './proof.ts';
import { secret } from './secret.ts';
import { signature } from './signature.ts';

/** The kinds of proofs that the simulator supports. The first that a scheme is of counts. */
const proofs: readonly DeliveryProof[] = [signature, bodySignature, certificate, secret];

/** Returns how deliveries prove a scheme; `undefined` if the simulator does not support it. */
export function proofOf(scheme: ServedScheme): DeliveryProof | undefined {
  return proofs.find(({ isOf }) => isOf(scheme));
}

/** Returns what deliveries do with the key of the options for a scheme; `undefined` if they do not use it. */
export function keyUseOf(
  scheme: ServedScheme,
  key: string | undefined,
  credentials: Readonly<Record<string, string>>,
): KeyUse | undefined {
  return proofOf(scheme)?.keyUse?.(scheme, key, credentials);
}

/**
 * Returns whether deliveries prove a scheme with a private key.
 * @param optionAnswers answers to open questions
 */
export function hasKeyPair(
  description: Pick<Service, 'unstated'>,
  scheme: ServedScheme,
  optionAnswers: Readonly<Record<string, string>> = {},
): boolean {
  const answers = chooseAnswers(description, optionAnswers);
  const pair = proofOf(scheme)?.keyPairScheme?.(scheme, (value) =>
    settle(description, answers, value),
  );
  return pair !== undefined;
}

import type { SecurityScheme } from '../contract.ts';
import type { Proof, ReadyKind, UnreadyProof } from '../proofs.ts';
import { bodySignature } from './body-signature.ts';
import { certificate } from './certificate.ts';
import type { ProofFacts, Sources } from './facts.ts';
import { secret } from './secret.ts';
import { signature } from './signature.ts';

type Facts = { readonly [Kind in ReadyKind]: ProofFacts<Kind> };

/** The facts of every kind. The first kind that a scheme is of counts. */
const facts: Facts = {
  signature,
  'body-signature': bodySignature,
  certificate,
  secret,
};

/** The kinds of proofs that receivers have functions for. */
export const readyKinds = Object.keys(facts) as readonly ReadyKind[];

/** Returns the facts of a kind. */
export function factsOf(kind: ReadyKind): Facts[ReadyKind] {
  return facts[kind];
}

/** Returns the kind of the proof by which receivers verify a scheme; `undefined` if they have no function for it. */
export function proofKindOf(scheme: SecurityScheme, sources: Sources): ReadyKind | undefined {
  return readyKinds.find((kind) => facts[kind].isOf(scheme, sources));
}

/** Returns what a proof is, in sentences about its scheme. */
export function nounOf({ kind }: Exclude<Proof, UnreadyProof>): string {
  return facts[kind].noun;
}

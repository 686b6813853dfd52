import { createSignedUrlMapping, type PublicUrl } from '@countersign/runtime/base';
import { unstatedId } from 'countersign/companion/contract';
import type { SecretProof } from 'countersign/companion/deliveries';
import { CommandError, toCommandError } from 'countersign/companion/terminal';
import type { Contract, OrUnstated, SecurityScheme } from 'countersign/kit';
import { carrySecret } from '../sending/secret-places.ts';
import { createSignBody } from '../sending/sign-body.ts';
import type { RequestProofs } from '../sending/sign-request.ts';
import {
  coveredHeaders,
  createRequestSigner,
  toSignatureScheme,
} from '../sending/signature-scheme.ts';
import type { TlsIdentity } from '../sending/tls-identity.ts';

/** The scheme of a signature, with its key. */
export interface Signing {
  readonly security: SecurityScheme;
  /** The key, in the encoding that the contract states. */
  readonly key: string;
}

/** What a delivery is proved with. */
export interface DeliveryKeys {
  /** The signature in a header. */
  readonly signing: Signing | undefined;
  /** The signatures in the body, in the order of the contract. */
  readonly bodySignings: readonly Signing[];
  readonly secret: { readonly proof: SecretProof; readonly value: string } | undefined;
  readonly certificate: TlsIdentity | undefined;
  /** The chosen answers, by the id of the ledger entry. */
  readonly answers: ReadonlyMap<string, string>;
  /** What senders call instead of the URL of the request, where a proxy changes it. */
  readonly publicUrl: PublicUrl | undefined;
}

/**
 * Returns what proves where a delivery comes from.
 * @throws CommandError `not-signable`, `usage` for a `publicUrl` that is not valid or has no effect
 */
export function createProofs(contract: Contract, keys: DeliveryKeys): RequestProofs {
  const { secret, bodySignings, certificate } = keys;
  const carried =
    secret && carrySecret(secret.proof.place, secret.proof.parameterName, secret.value);
  try {
    return {
      query: carried?.query === undefined ? [] : [carried.query],
      headers: carried?.header === undefined ? [] : [carried.header],
      bodies: bodySignings.flatMap(({ security: { id, bodyScheme }, key }) =>
        bodyScheme === undefined ? [] : [createSignBody(id, bodyScheme, key)],
      ),
      signature: createSignature(contract, keys),
      certificate,
    };
  } catch (error) {
    throw toCommandError(error);
  }
}

function createSignature(
  contract: Contract,
  { signing, answers, publicUrl }: DeliveryKeys,
): RequestProofs['signature'] {
  const { id = '', signature } = signing?.security ?? {};
  if (signing === undefined || signature === undefined) return undefined;
  const scheme = toSignatureScheme(signature, (value) => settle(contract, answers, value));
  const mapping =
    publicUrl === undefined ? undefined : createSignedUrlMapping(publicUrl, scheme.over);
  if (typeof mapping === 'string') throw new CommandError('usage', `--public-url ${mapping}.`);
  return {
    id,
    covered: coveredHeaders(scheme),
    signer: createRequestSigner(scheme, signing.key),
    mapping,
    coversHost: scheme.over.some((part) => part === '$url' || part === '$url.host+path'),
  };
}

/**
 * Returns a stated value, or that of the answer to the question that leaves it open.
 * @throws CommandError `not-signable` for a question without an answer
 */
function settle<T>(
  { unstated }: Contract,
  answers: ReadonlyMap<string, string>,
  value: OrUnstated<T>,
): T {
  const id = unstatedId(value);
  if (id === undefined) return value as T;
  const { choices = [], assumed } = unstated.find((entry) => entry.id === id) ?? {};
  const answer = answers.get(id) ?? assumed;
  const choice = choices.find(({ name }) => name === answer);
  if (choice !== undefined) return choice.value as T;
  const names = choices.map(({ name }) => name).join(', ');
  throw new CommandError(
    'not-signable',
    `The contract leaves ${id} open. Pass --answer ${id}=<choice>: ${names}.`,
  );
}

import type * as Sending from '@countersign/simulator/sending';
import type { PublicUrl, RequestProofs } from '@countersign/simulator/sending';
import type { Contract, OrUnstated, SecurityScheme } from '../../contract/contract.ts';
import type { SecretProof } from '../../contract/proofs.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { CommandError, toCommandError } from '../command-error.ts';
import { importSending } from './sending.ts';

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
  readonly certificate: Sending.TlsIdentity | undefined;
  /** The chosen answers, by the id of the ledger entry. */
  readonly answers: ReadonlyMap<string, string>;
  /** What senders call instead of the URL of the request, where a proxy changes it. */
  readonly publicUrl: PublicUrl | undefined;
}

/**
 * Returns what proves where a delivery comes from.
 * @throws CommandError `not-signable`, `usage` for a `publicUrl` that is not valid or has no effect
 */
export async function createProofs(contract: Contract, keys: DeliveryKeys): Promise<RequestProofs> {
  const sending = await importSending();
  const { secret, bodySignings, certificate } = keys;
  const carried =
    secret && sending.carrySecret(secret.proof.place, secret.proof.parameterName, secret.value);
  try {
    return {
      query: carried?.query === undefined ? [] : [carried.query],
      headers: carried?.header === undefined ? [] : [carried.header],
      bodies: bodySignings.flatMap(({ security: { id, bodyScheme }, key }) =>
        bodyScheme === undefined ? [] : [sending.createSignBody(id, bodyScheme, key)],
      ),
      signature: createSignature(contract, keys, sending),
      certificate,
    };
  } catch (error) {
    throw toCommandError(error);
  }
}

function createSignature(
  contract: Contract,
  { signing, answers, publicUrl }: DeliveryKeys,
  sending: typeof Sending,
): RequestProofs['signature'] {
  const { id = '', signature } = signing?.security ?? {};
  if (signing === undefined || signature === undefined) return undefined;
  const scheme = sending.toSignatureScheme(signature, (value) => settle(contract, answers, value));
  const mapping =
    publicUrl === undefined ? undefined : sending.createSignedUrlMapping(publicUrl, scheme.over);
  if (typeof mapping === 'string') throw new CommandError('usage', `--public-url ${mapping}.`);
  return {
    id,
    covered: sending.coveredHeaders(scheme),
    signer: sending.createRequestSigner(scheme, signing.key),
    mapping,
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

import type { Signer } from '@countersign/runtime/signing';
import type { PublicUrl } from '@countersign/simulator/sending';
import {
  importKeyPairs,
  importSigner,
  type SettledSignature,
  settleSignature,
} from '../../../contract/signature-scheme.ts';
import { CommandError } from '../../command-error.ts';
import { importSending } from '../sending.ts';
import type { RequestSigner } from './signer.ts';

/**
 * Signs in a header.
 * @throws CommandError `not-signable`, with the missing signed header or the unanswered question in its message; `usage`
 * for a `publicUrl` that is not valid or has no effect
 */
export const signInHeader: RequestSigner = async (
  contract,
  request,
  { security, key, answers, publicUrl },
) => {
  const { signature, id } = security;
  if (signature === undefined) return {};
  const { scheme, answers: taken } = settleSignature(contract, signature, answers);
  for (const entry of contract.unstated) {
    if (!Object.hasOwn(taken, entry.id) || answers.has(entry.id)) continue;
    if (entry.assumed !== undefined) continue;
    const choices = entry.choices.map(({ name }) => name).join(', ');
    throw new CommandError(
      'not-signable',
      `The contract leaves ${entry.id} open. Pass --answer ${entry.id}=<choice>: ${choices}.`,
    );
  }
  const sentHeaders = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const timestamp = scheme.timestamp?.header?.toLowerCase();
  for (const part of scheme.over) {
    const name =
      typeof part === 'string' ? /^\$request\.header\.(.+)$/u.exec(part)?.[1] : undefined;
    if (name === undefined || name.toLowerCase() === timestamp) continue;
    if ((sentHeaders.get(name.toLowerCase()) ?? '') !== '') continue;
    throw new CommandError(
      'not-signable',
      `The signature ${id} covers the header ${name}: pass it with --header-env ${name}=<variable>.`,
    );
  }
  const { origin, pathname, search } = request.url;
  const url = await toSignedUrl(`${origin}${pathname}${search}`, publicUrl, scheme.over);
  try {
    const headers = await (
      await createSigner(scheme, key)
    ).sign({
      method: request.method,
      url,
      headers: (name) => {
        const value = sentHeaders.get(name);
        return value === undefined ? [] : [value];
      },
      body: request.body,
    });
    return { headers, ...(publicUrl === undefined ? {} : { signedUrl: url }) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SigningError') throw error;
    throw new CommandError('not-signable', error.message, { cause: error });
  }
};

/** Creates the signer of a scheme with a secret or with a private key. */
async function createSigner(
  scheme: SettledSignature['scheme'],
  key: string,
): Promise<{ readonly sign: Signer['sign'] }> {
  const pairs = await importKeyPairs();
  if (pairs.isKeyPairScheme(scheme)) return pairs.createSigner(scheme, { key });
  const { createSigner: create } = await importSigner();
  return create(scheme, { key });
}

async function toSignedUrl(
  url: string,
  publicUrl: PublicUrl | undefined,
  over: readonly unknown[],
): Promise<string> {
  if (publicUrl === undefined) return url;
  const { createSignedUrlMapping } = await importSending();
  const mapping = createSignedUrlMapping(publicUrl, over);
  if (typeof mapping === 'string') throw new CommandError('usage', `--public-url ${mapping}.`);
  return mapping.map(url);
}

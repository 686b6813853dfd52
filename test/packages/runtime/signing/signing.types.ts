import {
  createSigner,
  createVerifier,
  type SignableRequest,
  type SignatureScheme,
  type Verification,
} from '../../../../packages/runtime/signing/index.ts';

/** Compiled with everything else, never run: each line below an `@ts-expect-error` has to be an error. */
export async function misuse(scheme: SignatureScheme, request: SignableRequest): Promise<void> {
  // @ts-expect-error: a signer needs its key
  createSigner(scheme, {});
  // @ts-expect-error: a key that may be missing is not a key
  createSigner(scheme, { key: process.env['SECRET'] });
  // @ts-expect-error: a verifier takes a list of keys
  createVerifier(scheme, { keys: 'secret' });
  // @ts-expect-error: nothing may be left unstated
  createSigner({ ...scheme, encoding: { unstated: 'signature-encoding' } }, { key: 'k' });
  // @ts-expect-error: what can be signed is listed
  createSigner({ ...scheme, over: ['$request.query.a'] }, { key: 'k' });
  // @ts-expect-error: a scheme says in which header the signature travels
  const unplaced: SignatureScheme = { ...scheme, header: undefined };

  const signer = createSigner(scheme, { key: 'k' });
  // @ts-expect-error: text is not the bytes that travel
  void signer.sign({ ...request, body: '{}' });
  // @ts-expect-error: a lookup shows every value of a header
  void signer.sign({ ...request, headers: (name: string) => name });

  const { verify } = createVerifier(scheme, { keys: ['k'] });
  // @ts-expect-error: the answer may be a promise, whose truth says nothing
  if (verify(request).ok) return;
  const verification: Verification = await verify(request);
  // @ts-expect-error: a refusal has no key
  void verification.key;
  if (!verification.ok) {
    // @ts-expect-error: the reasons are a closed list
    void (verification.reason === 'expired');
    return;
  }
  const key: number = verification.key;
  const timestamp: number | undefined = verification.timestamp;
  void [key, timestamp, unplaced];
}

import {
  createSigner,
  createVerifier,
  SigningError,
  type SignableRequest,
  type SignatureScheme,
} from '@countersign/runtime/signing';
import * as unchecked from '@countersign/runtime/signing/core';

/** One thing to do on a runtime, and what has to come of it; plain JSON. */
export interface RuntimeCase {
  readonly name: string;
  readonly scheme: SignatureScheme;
  readonly keys: readonly string[];
  readonly clock: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    /** Each byte as a number. */
    readonly body: readonly number[];
  };
  /** Left out where the request is only verified: the headers to add, or the code of the error. */
  readonly signed?: unknown;
  readonly verified: unknown;
}

export interface RuntimeReport {
  readonly run: number;
  readonly failures: readonly { readonly name: string; readonly got: unknown }[];
  /** Whether answers come as promises: by WebCrypto they do, by `node:crypto` they do not. */
  readonly asynchronous: boolean;
}

/** The two entries of the package. */
const entries = [
  { entry: 'the package', signer: createSigner, verifier: createVerifier },
  {
    entry: 'its entry for bundles',
    signer: unchecked.createSigner,
    verifier: unchecked.createVerifier,
  },
] as const;

/** Runs every case on this runtime, by nothing but the package as it is published. */
export async function runSuite(cases: readonly RuntimeCase[]): Promise<RuntimeReport> {
  const failures: { name: string; got: unknown }[] = [];
  let asynchronous = false;
  for (const { entry, signer, verifier } of entries)
    for (const { name, scheme, keys, clock, request, signed, verified } of cases) {
      const signable = toSignable(request);
      const answer = verifier(scheme, { keys, clock: () => clock }).verify(signable);
      asynchronous ||= answer instanceof Promise;
      const got = {
        verified: await answer,
        ...(signed === undefined ? {} : { signed: await sign() }),
      };
      const expected = { verified, ...(signed === undefined ? {} : { signed }) };
      if (JSON.stringify(got) !== JSON.stringify(expected))
        failures.push({ name: `${entry}: ${name}`, got });

      async function sign(): Promise<unknown> {
        try {
          const { sign } = signer(scheme, { key: keys.at(-1) ?? '', clock: () => clock });
          return await sign(withoutSignature(signable, scheme));
        } catch (error) {
          return error instanceof SigningError ? error.code : String(error);
        }
      }
    }
  return { run: entries.length * cases.length, failures, asynchronous };
}

function toSignable({ headers, body, ...request }: RuntimeCase['request']): SignableRequest {
  return {
    ...request,
    headers: (wanted) =>
      headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value),
    body: Uint8Array.from(body),
  };
}

function withoutSignature(request: SignableRequest, scheme: SignatureScheme): SignableRequest {
  const signatureHeaders = [scheme.header, scheme.timestamp?.header].map((name) =>
    name?.toLowerCase(),
  );
  return {
    ...request,
    headers: (name) => (signatureHeaders.includes(name) ? [] : request.headers(name)),
  };
}

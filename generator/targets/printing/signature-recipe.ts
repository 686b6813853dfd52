import { isKeyPair, settleSignature } from '../../contract/signature-scheme.ts';
import type { Contract, SecurityScheme } from '../../contract/contract.ts';
import { entriesAt } from '../../contract/ledger-entries.ts';
import { unstatedId } from '../../contract/unstated-id.ts';
import { createSignatureVectors, type SchemeVectors } from './signature-vectors.ts';

/** How a signature is computed, for people who do so in another language. */
export interface SignatureRecipe {
  readonly header: string;
  /** The template of the header's value. */
  readonly value: string;
  readonly algorithm: string;
  readonly credential: string;
  readonly isKeyPair: boolean;
  /** How the key is written, and what is before it; empty for a PEM or JWK. */
  readonly keyEncoding: string;
  readonly keyPrefix: string;
  readonly encoding: string;
  /** The signed parts in their order: words, and a name or text for a code span. */
  readonly parts: readonly { readonly words: string; readonly text: string }[];
  /** The questions whose answers are not settled, with the choice that the recipe and its example have. */
  readonly answers: readonly { readonly id: string; readonly choice: string }[];
  /** The open questions about it for which no choice is listed. */
  readonly open: readonly string[];
  readonly example: SignatureExample | undefined;
}

/** A signed request, as the texts of its parts. */
interface SignatureExample {
  readonly key: string;
  readonly request: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly signed: string;
  readonly signature: string;
}

/** Describes the signatures in headers of the schemes. */
export async function describeRecipes(
  contract: Contract,
  schemes: readonly SecurityScheme[],
): Promise<readonly SignatureRecipe[]> {
  const lists = await Promise.all(schemes.map(async (scheme) => await vectorsOf(contract, scheme)));
  const vectors = lists.flat();
  return schemes.flatMap(({ id, pointer, signature }) => {
    if (signature === undefined) return [];
    const { scheme, answers } = settleSignature(contract, signature);
    const { key } = signature;
    const tolerance = unstatedId(signature.timestamp?.tolerance);
    return {
      header: scheme.header,
      value: scheme.value ?? '{signature}',
      algorithm: scheme.algorithm,
      credential: key.credential,
      isKeyPair: isKeyPair(contract, signature),
      keyEncoding: scheme.key?.encoding ?? '',
      keyPrefix: key.prefix ?? '',
      encoding: scheme.encoding,
      parts: scheme.over.flatMap((part) => {
        if (typeof part !== 'string')
          return part.text === '' ? [] : { words: 'the text', text: JSON.stringify(part.text) };
        const header = /^\$request\.header\.(.+)$/u.exec(part)?.[1];
        return header === undefined
          ? { words: signedPartWords(part), text: '' }
          : { words: 'the header', text: header };
      }),
      // The tolerance of a timestamp does not affect a signature.
      answers: Object.entries(answers)
        .filter(([question]) => question !== tolerance)
        .map(([question, choice]) => ({ id: question, choice })),
      open: entriesAt(contract, pointer)
        .filter(
          ({ choices, settled, documentation }) =>
            choices.length === 0 && settled === undefined && documentation !== true,
        )
        .map((entry) => entry.id),
      example: exampleOf(vectors.find((candidate) => candidate.scheme === id)),
    };
  });
}

/** Returns the vectors of a scheme; none of one that cannot sign, which a rule refuses. */
async function vectorsOf(
  contract: Contract,
  scheme: SecurityScheme,
): Promise<readonly SchemeVectors[]> {
  try {
    return await createSignatureVectors(contract, [scheme]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'invalid-scheme') return [];
    throw error;
  }
}

/** Returns the words for a signed part that is no header. */
export function signedPartWords(expression: string): string {
  const words: Readonly<Record<string, string>> = {
    '$request.body': 'the body, byte for byte',
    $method: 'the method',
    $timestamp: 'the timestamp',
    $url: 'the whole URL',
    '$url.path': 'the path of the URL',
    '$url.path-base': 'the path of the URL, without that of the base address',
    '$url.path+query': 'path and query of the URL',
    '$url.host+path': 'host and path of the URL',
  };
  return words[expression] ?? expression;
}

/** Returns the vector with a JSON body as texts. Key pairs have none: their keys have many lines, and many signatures. */
function exampleOf(vectors: SchemeVectors | undefined): SignatureExample | undefined {
  const { publicKey, key = '', authentic = [], scheme } = vectors?.vectors ?? {};
  const vector = authentic.find(({ name }) => name === 'a JSON object');
  if (vector === undefined || scheme === undefined || publicKey !== undefined) return undefined;
  const { method, url, headers, body } = vector.request;
  const { [scheme.header]: signature = '', ...others } = headers;
  const signed = Buffer.from(vector.input, 'base64').toString();
  return {
    key,
    request: `${method} ${url}`,
    headers: Object.entries(others).map(([name, value]) => `${name}: ${value}`),
    body: Buffer.from(body, 'base64').toString(),
    // A code span would lose its line ends.
    signed: /\s\s|[\n\r\t]/u.test(signed) ? JSON.stringify(signed) : signed,
    signature: `${scheme.header}: ${signature}`,
  };
}

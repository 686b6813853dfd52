import { type InputProblem, SigningError, type SigningErrorCode } from './signing-error.ts';

const inputProblems: Readonly<Record<InputProblem, string>> = {
  'missing-header': 'a header that the scheme signs is missing or empty',
  'repeated-header': 'a header that the scheme signs occurs more than once',
  'malformed-header': 'a header that the scheme signs is not visible ASCII, or is too long',
  'malformed-method': 'its method is not in capital letters',
  'malformed-url': 'its URL is neither a path nor an absolute URL, as the scheme requires',
  'malformed-timestamp': 'its timestamp is not in the format of the scheme',
  'body-not-bytes': 'its body is not a Uint8Array; pass the bytes that are sent',
  'ambiguous-framing':
    'another request would have the same signature, because the scheme has no separator between the signed parts. ' +
    'Send JSON, form text with every separator percent-encoded, or no body, and encode brackets in the URL',
};

/** Creates the error for a code, with a text that says what is wrong and what to do. */
export function explain(code: SigningErrorCode, subject?: string): SigningError {
  return new SigningError(code, textOf(code, subject), subject);
}

function textOf(code: SigningErrorCode, subject: string | undefined): string {
  switch (code) {
    case 'missing-key':
      return subject === 'keys'
        ? 'The verifier has no key. Pass at least one in `keys`.'
        : 'The key is missing or empty, or a text such as `undefined`. Check that its environment variable is set.';
    case 'malformed-key':
      if (subject === 'white-space')
        return 'The key begins or ends with white space, such as the line break at the end of a file. Remove the white space.';
      return `The key ${subject === 'utf-8' ? 'contains an unpaired surrogate' : `is not ${subject}`}. Write it in the encoding of the signature scheme.`;
    case 'invalid-option':
      return subject === 'clock'
        ? 'The clock must return milliseconds of a time between 2001 and 2286.'
        : `The option \`${subject}\` must be a number of milliseconds above 0.`;
    case 'missing-key-id':
      return 'The key has no id, which the signature scheme requires. Pass `{ id, key }`, or a JWK with a `kid`.';
    case 'keys-unavailable':
      return `The keys cannot be fetched: ${subject}.`;
    case 'invalid-scheme':
    case 'unsupported-platform':
      return `The signature scheme is not supported: ${subject}.`;
    default:
      return code === 'ambiguous-framing' && subject !== undefined
        ? `The signature scheme is ambiguous: nothing separates the signed parts \`${subject.replace(' ', '` and `')}\`.`
        : `The request cannot be signed: ${inputProblems[code]}.`;
  }
}

import {
  type Authentication,
  type SecretFailure,
  type Verdict,
  assertSecret,
  createSecretTest,
} from './authentication.ts';
import { invalid } from './contract.ts';

/**
 * Creates an authentication for requests with one of the user names and passwords (HTTP Basic, RFC 7617), each written
 * `user:password`; give several during a rotation. It compares in constant time for any length. The password can be
 * encoded as UTF-8 or as ISO-8859-1: the request does not say which.
 * @throws WebhookError `missing-secret` for an empty user name or password, `invalid-option` for a text without a colon, and
 * for a user name or password that begins or ends with white space
 */
export function basicCredentials(credentials: string | readonly string[]): Authentication {
  const pairs = [credentials].flat();
  for (const pair of pairs) {
    const colon = typeof pair === 'string' ? pair.indexOf(':') : -1;
    if (colon < 0) {
      assertSecret(pair);
      throw invalid('each of the credentials must be a user name and a password: `user:password`');
    }
    assertSecret(pair.slice(0, colon), 'The user name of the credentials');
    assertSecret(pair.slice(colon + 1), 'The password of the credentials');
  }
  const isPair = createSecretTest(pairs, toByteTexts);
  return byAuthorization('basic', (text) => {
    const bytes = decodeBase64(text);
    return bytes !== undefined && isPair([bytes]);
  });
}

/**
 * Creates an authentication for requests with one of the bearer tokens (RFC 6750); give several during a rotation. The
 * tokens are texts that receiver and sender agreed on. It compares in constant time for any length.
 * @throws WebhookError `missing-secret` for an empty token, `invalid-option` for one that begins or ends with white space
 */
export function bearerToken(tokens: string | readonly string[]): Authentication {
  const isToken = createSecretTest(tokens);
  return byAuthorization('bearer', (text) => isToken([text]));
}

/**
 * Creates an authentication for requests that have one of the secrets in a cookie, as it is or percent-encoded; give
 * several during a rotation. It compares in constant time for any length.
 * @throws WebhookError `missing-secret` for an empty secret, `invalid-option` for one that begins or ends with white space,
 * and for an empty name
 */
export function cookieSecret(name: string, secrets: string | readonly string[]): Authentication {
  if (!name) throw invalid('the cookie of a secret must have a name');
  const isSecret = createSecretTest(secrets);
  return ({ headers }): Verdict<SecretFailure> => {
    const [value, ...repetitions] = headers('cookie').flatMap((line) => cookieValues(line, name));
    if (value === undefined) return { ok: false, reason: 'missing-secret' };
    if (repetitions.length > 0) return { ok: false, reason: 'repeated-secret' };
    return isSecret(readings(value)) ? { ok: true } : { ok: false, reason: 'wrong-secret' };
  };
}

/** Creates an authentication that tests what the header `authorization` has behind the name of a scheme. */
function byAuthorization(scheme: string, isExpected: (text: string) => boolean): Authentication {
  return ({ headers }): Verdict<SecretFailure> => {
    const [value, ...repetitions] = headers('authorization');
    if (repetitions.length > 0) return { ok: false, reason: 'repeated-secret' };
    const space = value?.indexOf(' ') ?? -1;
    if (value === undefined || value.slice(0, Math.max(space, 0)).toLowerCase() !== scheme)
      return { ok: false, reason: 'missing-secret' };
    return isExpected(value.slice(space).trim())
      ? { ok: true }
      : { ok: false, reason: 'wrong-secret' };
  };
}

/** Returns a text as senders can encode it, with a character for each byte: in UTF-8, and in ISO-8859-1 if it fits. */
function toByteTexts(text: string): readonly string[] {
  const utf8 = Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte));
  const fits = Array.from(text).every((character) => (character.codePointAt(0) ?? 0) < 256);
  return fits ? [utf8.join(''), text] : [utf8.join('')];
}

/** Returns the bytes of a text in Base64, with a character for each byte; `undefined` for another text. */
function decodeBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

/** Returns the values of one name in a header `cookie`. */
function cookieValues(line: string, name: string): readonly string[] {
  return line.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals >= 0 && pair.slice(0, equals).trim() === name
      ? [pair.slice(equals + 1).trim()]
      : [];
  });
}

/** Returns what a sender can have meant by the value of a cookie: as it is, without quotes, and decoded. */
function readings(value: string): readonly string[] {
  const plain = /^"(.*)"$/su.exec(value)?.[1] ?? value;
  try {
    return [value, plain, decodeURIComponent(plain)];
  } catch {
    return [value, plain];
  }
}

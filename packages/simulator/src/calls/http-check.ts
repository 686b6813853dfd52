import type { ServedScheme } from '../service.ts';
import { compileSecret } from './equal-secrets.ts';
import { failed, passed, type SchemeCheck } from './scheme-check.ts';

/** Compiles the check of HTTP authentication, and of OAuth tokens that no operation of the contract issues. */
export function compileHttp(scheme: ServedScheme, credential: string | undefined): SchemeCheck {
  const word = scheme.type === 'http' ? (scheme.httpScheme ?? 'bearer') : 'bearer';
  const title = word.charAt(0).toUpperCase() + word.slice(1);
  const secret =
    credential !== undefined && word === 'basic'
      ? Buffer.from(credential).toString('base64')
      : credential;
  const isSecret = secret === undefined ? () => true : compileSecret(secret);
  const name = scheme.credential ?? scheme.id;
  const source =
    credential === undefined
      ? 'any token: the simulator issues none'
      : `the credential \`${name}\`, which the simulator prints at its start`;
  const fix =
    word === 'basic'
      ? `Send \`Authorization: Basic\` and the Base64 of user name, colon and password; these are ${source}.`
      : `Send \`Authorization: ${title}\`, one space and ${source}.`;
  const ok = [passed('http-authentication', `The ${title} credentials are right.`)];
  return {
    rank: 1,
    challenge: title,
    isPresent: (call) => call.headers('authorization').length > 0,
    check(call) {
      const values = call.headers('authorization');
      const [value = ''] = values;
      const [, sentScheme = '', text = ''] = /^(\S+) +(.*)$/su.exec(value) ?? [];
      for (const sentSecret of [value, text]) call.secrets.add(sentSecret);
      if (word === 'basic') call.secrets.add(Buffer.from(text, 'base64').toString());
      if (value === '')
        return [
          failed(
            'http-authentication',
            'missing-authorization',
            'The header `Authorization` is missing.',
            fix,
          ),
        ];
      if (values.length > 1 || sentScheme.toLowerCase() !== word)
        return [
          failed(
            'http-authentication',
            'wrong-authentication-scheme',
            `The header \`Authorization\` is not of the scheme ${title}.`,
            fix,
          ),
        ];
      if (text !== '' && isSecret(text)) return ok;
      return [
        failed(
          'http-authentication',
          'wrong-credentials',
          `The ${title} credentials are not those of the simulator.`,
          fix,
        ),
      ];
    },
  };
}

import type { ServedScheme } from '../service.ts';
import { decodeFormText, decodePercent, splitPairs } from './decode-text.ts';
import { compileSecret } from './equal-secrets.ts';
import type { ReceivedCall } from './received-call.ts';
import { failed, passed, type SchemeCheck } from './scheme-check.ts';

/** Returns the values that a call has for an API key, in a header, the query or a cookie. */
export function readApiKeys(
  call: ReceivedCall,
  { in: place, parameterName = 'authorization' }: Pick<ServedScheme, 'in' | 'parameterName'>,
): readonly string[] {
  switch (place) {
    case 'query':
      return splitPairs(call.query)
        .filter(([name]) => name === parameterName)
        .map(([, text]) => decodeFormText(text));
    case 'cookie':
      return call
        .headers('cookie')
        .flatMap((header) => header.split(';'))
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${parameterName}=`))
        .map((pair) => decodePercent(pair.slice(parameterName.length + 1)));
    default:
      return call.headers(parameterName.toLowerCase());
  }
}

/** Describes where an API key is sent, such as "the header `x-key`". */
export function placeOf({
  in: place = 'header',
  parameterName = 'authorization',
}: Pick<ServedScheme, 'in' | 'parameterName'>): string {
  return place === 'query'
    ? `the query parameter \`${parameterName}\``
    : `the ${place} \`${parameterName}\``;
}

/** Compiles the check of an API key. */
export function compileApiKey(scheme: ServedScheme, key: string): SchemeCheck {
  const place = placeOf(scheme);
  const isKey = compileSecret(key);
  const credential = scheme.credential ?? scheme.id;
  const ok = [passed('api-key', `The API key in ${place} is right.`)];
  return {
    rank: 0,
    isPresent: (call) => readApiKeys(call, scheme).length > 0,
    check(call) {
      const values = readApiKeys(call, scheme);
      const [value = ''] = values;
      for (const sentSecret of values) call.secrets.add(sentSecret);
      if (values.length === 1 && isKey(value)) return ok;
      const [code, message] =
        values.length > 1
          ? ['repeated-api-key', `The API key occurs more than once in ${place}.`]
          : value === ''
            ? ['missing-api-key', `The API key is missing from ${place}.`]
            : ['wrong-api-key', `The API key in ${place} is not that of the simulator.`];
      const fix = `Send the credential \`${credential}\`, which the simulator prints at its start, in ${place}.`;
      return [failed('api-key', code, message, fix)];
    },
  };
}

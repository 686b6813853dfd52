import { describe, expect, it } from 'vitest';
import { readSyntax } from '../../../cli/command-syntax.ts';
import { receiveAll } from './listen.ts';
import { send } from './send.ts';

describe('countersign send', () => {
  it.each<[string, readonly string[], number, string]>([
    ['an unknown event', ['chrge'], 2, 'There is no notification "chrge". Did you mean "charge"?'],
    ['an unknown example', ['charge', '--example', 'with-payr'], 2, 'Did you mean "with-payer"?'],
    ['no JSON', ['charge', '--data', '{"token":'], 2, '--data is not valid JSON.'],
    ['a file without @', ['charge', '--data', 'package.json'], 2, 'write --data @package.json.'],
    ['a file that does not exist', ['charge', '--data', '@none.json'], 2, 'cannot be read'],
    ['no object', ['charge', '--data', '[1]'], 2, '--data requires a JSON object'],
    [
      'fields of a form',
      ['charge', '--data', 'text=hunter-2'],
      2,
      'Give the fields of a form as members of a JSON object: --data \'{"text":"hi"}\'.',
    ],
    [
      'an example and a sample',
      ['charge', '--example', 'with-payer', '--sample'],
      2,
      "option '--sample' cannot be used with option '--example <name>'",
    ],
    [
      'a parameter for nothing',
      ['charge', '--parameter', 'txid=1'],
      2,
      '--parameter requires --append-label',
    ],
    [
      'an unknown parameter',
      ['dueDateCharge', '--append-label', '--parameter', 'id=1'],
      2,
      'There is no parameter of the label "id". There are: txid.',
    ],
    [
      'a parameter that changes the path',
      ['dueDateCharge', '--append-label', '--parameter', 'txid=..'],
      2,
      'this value would change the rest of the path',
    ],
    [
      'half a header',
      ['charge', '--header', 'secret'],
      2,
      '--header requires a name, `:` and a value',
    ],
    ['a header with a line end', ['charge', '--header', 'a: b\r\nc: d'], 2, 'is not valid in HTTP'],
    ['a secret that is not set', ['charge', '--header-env', 'a=B'], 1, 'variable B is not set'],
    [
      'a secret in place of its variable',
      ['charge', '--header-env', 'a=hunter-2!'],
      2,
      'Give the name of an environment variable, not the secret itself.',
    ],
    ['a key that is not set', ['charge', '--sign'], 1, 'variable WEBHOOK_SECRET is not set'],
    ['an unknown signature', ['charge', '--signature', 'other'], 2, 'There are: signature.'],
    ['no time', ['charge', '--timeout-ms', '0'], 2, '--timeout-ms requires a whole number from 1'],
  ])('refuses %s before it sends anything', async (_, parameters, expected, message) => {
    const { url, received } = await receiveAll();
    const { code, out, error } = await send([...parameters, '--to', url]);
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(error).toContain(message);
    expect(error).not.toContain('hunter');
    expect(received).toEqual([]);
  });

  it('names a signed header that is missing', async () => {
    const { url } = await receiveAll();
    const { code, error } = await send(['charge', '--to', url, '--sign'], {
      WEBHOOK_SECRET: 'a secret',
    });
    expect({ code, error }).toEqual({
      code: 1,
      error:
        'countersign: The signature signature covers the header apikey. Set it in `authentication.headers` (`--header-env apikey=<variable>`).\n',
    });
  });

  it.each([
    ['ftp://127.0.0.1/', '--to requires a URL'],
    ['127.0.0.1:3000', '--to requires a URL'],
    ['http://user:hunter2@127.0.0.1/', '--to must not contain credentials'],
  ])('sends to no other kind of URL: %s', async (url, message) => {
    const { code, error } = await send(['charge', '--to', url]);
    expect(code).toBe(2);
    expect(error).toContain(message);
    expect(error).not.toContain('hunter2');
  });

  it('refuses each option that only the other way of sending has, with and without --to', async () => {
    const { terms } = await readSyntax('send');
    const ways = { with: 0, without: 0 };
    for (const [term, meaning] of terms) {
      const [flag = '', value] = term.split(' ');
      const [, way] = /^(with|without) --to: /u.exec(meaning) ?? [];
      if (way !== 'with' && way !== 'without') continue;
      ways[way] += 1;
      const parameters = ['charge', flag, ...(value === undefined ? [] : [valueOf(value)])];
      const to = way === 'with' ? [] : ['--to', 'http://127.0.0.1:1/'];
      const { code, out, error } = await send([...parameters, ...to]);
      expect({ flag, code, out }).toEqual({ flag, code: 2, out: '' });
      expect(error).toContain(
        way === 'with'
          ? `${flag} requires --to: `
          : `option '${term}' cannot be used with option '--to <url>'`,
      );
    }
    expect(ways).toEqual({ with: 17, without: 4 });
    // What both have.
    expect(terms.length - ways.with - ways.without).toBe(6);
  });
});

/** Returns a value of the form that an option takes. */
function valueOf(form: string): string {
  if (form.includes('=')) return 'a=b';
  return form === '<line>' ? 'a: b' : '1';
}

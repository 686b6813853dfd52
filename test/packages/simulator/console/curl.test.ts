import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { RecordedRequest } from '../../../../packages/simulator/src/index.ts';
import { curlOf } from '../../../../packages/simulator/src/console/curl.ts';

const request: RecordedRequest = {
  method: 'POST',
  url: 'http://127.0.0.1:4010/a?b=[redacted]',
  headers: [
    ['Host', '127.0.0.1'],
    ['x-api-key', '[redacted]'],
    ['authorization', 'Bearer [redacted]'],
    ['@/etc/passwd', 'x'],
    ['x-note', `it's $(touch /tmp/x) "quoted" \`id\``],
  ],
  body: { encoding: 'utf-8', text: `secret=[redacted]&a='b'`, size: 24 },
};

/** Lets a shell split a command, and returns the arguments that cURL would get. */
function argumentsOf(command: string, variables: Readonly<Record<string, string>>): string[] {
  const output = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    env: variables,
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

it('writes credentials as shell variables, and received text literally', () => {
  const command = curlOf(request);
  expect(command).not.toContain('redacted');
  expect(
    argumentsOf(command, {
      SENT_HEADER_X_API_KEY: 'key',
      SENT_HEADER_AUTHORIZATION: 'token',
      SENT_BODY_SECRET: 'body',
      SENT_URL_SECRET: 'url',
    }),
  ).toEqual([
    '--globoff',
    '--path-as-is',
    '--request',
    'POST',
    '--url',
    'http://127.0.0.1:4010/a?b=url',
    '--header',
    'x-api-key: key',
    '--header',
    'authorization: Bearer token',
    '--header',
    `x-note: it's $(touch /tmp/x) "quoted" \`id\``,
    '--header',
    'Content-Type:',
    '--data-raw',
    `secret=body&a='b'`,
  ]);
});

it('writes no character that a terminal takes for a key when the command is pasted', () => {
  const text = `{"a":"\u0003\u001b[201~\r\u007f\u009b","secret":"[redacted]"}\n\tb`;
  const command = curlOf({
    ...request,
    url: 'http://127.0.0.1:4010/\u0003',
    headers: [['x-note', 'a\u009bb']],
    body: { encoding: 'utf-8', text, size: text.length },
  });
  // oxlint-disable-next-line no-control-regex -- they are what it looks for
  expect(command).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
  expect(argumentsOf(command, { SENT_BODY_SECRET: 'body' })).toEqual([
    '--globoff',
    '--path-as-is',
    '--request',
    'POST',
    '--url',
    'http://127.0.0.1:4010/\u0003',
    '--header',
    'x-note: a\u009bb',
    '--header',
    'Content-Type:',
    '--data-raw',
    text.replace('[redacted]', 'body'),
  ]);
});

it('writes bytes that are not text in Base64', () => {
  const body = { encoding: 'base64', text: '/wA=', size: 2 } as const;
  const command = curlOf({ ...request, headers: [], body });
  expect(command).toMatch(/^printf %s '\/wA=' \| base64 --decode \| curl /u);
});

it.each(['GET; id', '', '--output'])('writes no method that is not a token: %s', (method) => {
  const body = { encoding: 'utf-8', text: '', size: 0 } as const;
  expect(argumentsOf(curlOf({ method, url: 'http://a/', headers: [], body }), {})[3]).toBe('GET');
});

const hostile = [
  'http://127.0.0.1/[1-9]/{a,b}?c=[z-a]',
  "http://127.0.0.1/'; touch x; '",
  'http://127.0.0.1/$(id)`id`"!&|\\\n~*',
];

it.each(hostile)('keeps received text one argument: %j', (text) => {
  const command = curlOf({
    method: 'A$`|&*!#',
    url: text,
    headers: [
      ['content-type', text],
      ['x-empty', ''],
      ['x$`|&*', text],
    ],
    body: { encoding: 'utf-8', text: `@${text}`, size: 9 },
  });
  expect(argumentsOf(command, {})).toEqual([
    '--globoff',
    '--path-as-is',
    '--request',
    'A$`|&*!#',
    '--url',
    text,
    '--header',
    `content-type: ${text}`,
    '--header',
    'x-empty;',
    '--header',
    `x$\`|&*: ${text}`,
    '--data-raw',
    `@${text}`,
  ]);
});

it('writes text with zero bytes in Base64, and no body for HEAD', () => {
  const body = { encoding: 'utf-8', text: 'a\0b', size: 3 } as const;
  expect(curlOf({ ...request, headers: [], body })).toContain("printf %s 'YQBi' | base64 --decode");
  expect(curlOf({ ...request, method: 'HEAD', body })).not.toContain('YQBi');
});

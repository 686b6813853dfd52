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
      API_X_API_KEY: 'key',
      API_AUTHORIZATION: 'token',
      API_BODY_SECRET: 'body',
      API_URL_SECRET: 'url',
    }),
  ).toEqual([
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
    '--data-raw',
    `secret=body&a='b'`,
  ]);
});

it('writes bytes that are not text in Base64', () => {
  const body = { encoding: 'base64', text: '/wA=', size: 2 } as const;
  const command = curlOf({ ...request, headers: [], body });
  expect(command).toMatch(/^printf %s '\/wA=' \| base64 --decode \| curl /u);
});

it.each(['GET; id', '', '--output'])('writes no method that is not a token: %s', (method) => {
  const body = { encoding: 'utf-8', text: '', size: 0 } as const;
  expect(curlOf({ method, url: 'http://a/', headers: [], body })).not.toContain('; id');
});

import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Signature } from '../../../generator/contract/contract.ts';
import { signInShell } from '../../../packages/reference/src/sign-in-shell.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';

const base: Signature = {
  header: 'x-signature',
  algorithm: 'hmac-sha256',
  key: { credential: 'webhookSecret', encoding: 'utf-8' },
  over: ['$timestamp', { text: '.' }, '$request.body'],
  encoding: 'hex',
  value: '{signature}',
};
const hasOpenssl = spawnSync('/bin/sh', ['-c', 'command -v openssl']).status === 0;

describe('the commands of a shell that sign', () => {
  it.runIf(hasOpenssl).each<[name: string, signature: Signature, expected: string]>([
    ['a timestamp and the body', base, 'hex'],
    ['in base64', { ...base, encoding: 'base64' }, 'base64'],
    [
      'in base64url, with SHA-512',
      { ...base, algorithm: 'hmac-sha512', encoding: 'base64url' },
      'base64url',
    ],
    [
      'text with apostrophes',
      { ...base, over: [{ text: "it's; $(id) %s" }, '$request.body'] },
      'hex',
    ],
    ['with a key in hexadecimal', { ...base, key: { credential: 'key', encoding: 'hex' } }, 'hex'],
  ])('give the signature of %s', async (_, signature, encoding) => {
    const folder = await temporaryFolder();
    const body = '{"amount":"10.00","name":"José"}\n';
    await writeFile(join(folder, 'body'), body);
    const secret = signature.key.encoding === 'hex' ? '00ff10a5' : "a secret, it's $long";
    const { stdout, status } = spawnSync('/bin/sh', ['-c', signInShell(signature) ?? 'exit 9'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], SECRET: secret, TIMESTAMP: '1700000000' },
    });
    expect(status).toBe(0);
    const parts = signature.over.map((part) =>
      typeof part === 'object' && 'text' in part
        ? part.text
        : part === '$timestamp'
          ? '1700000000'
          : body,
    );
    const hash = (signature.algorithm as string).replace('hmac-', '');
    const key = signature.key.encoding === 'hex' ? Buffer.from(secret, 'hex') : secret;
    const expected = createHmac(hash, key).update(parts.join('')).digest();
    expect(stdout.trim()).toBe(expected.toString(encoding as 'hex' | 'base64' | 'base64url'));
  });

  it.each<[name: string, signature: Signature]>([
    ['the contract leaves open', { ...base, encoding: { unstated: 'encoding' } }],
    ['is the URL', { ...base, over: ['$url', '$request.body'] }],
    ['is signed by a private key', { ...base, algorithm: 'ed25519' }],
    ['has a line break', { ...base, over: [{ text: 'a\nb' }, '$request.body'] }],
    ['has a key with a prefix', { ...base, key: { ...base.key, prefix: 'whsec_' } }],
  ])('are left out for what %s', (_, signature) => {
    expect(signInShell(signature)).toBeUndefined();
  });
});

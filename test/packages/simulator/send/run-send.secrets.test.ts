import { sharedSecret } from '../../../../packages/runtime/webhooks/receiver.ts';
import { describe, expect, test } from 'vitest';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { createSecretProject, receiveWith, statedSecrets } from '../../../cli/stated-secrets.ts';

describe.each(statedSecrets)('of a notification with %s, send', (_name, scheme, value, proof) => {
  test('carries the secret, and shows it nowhere', async () => {
    const folder = await createSecretProject(scheme);
    const { url, records } = await receiveWith(proof);
    for (const flags of [[], ['--json']]) {
      const parameters = ['send', 'order', '--to', url, ...flags];
      const { code, out, error } = await runInProcess(folder, parameters, {
        WEBHOOK_SECRET: value,
      });
      expect(code, error).toBe(0);
      const secret = value.replace(/^.*:/u, '');
      for (const form of [secret, encodeURIComponent(secret), new URLSearchParams([['', secret]])])
        expect(out + error).not.toContain(String(form).replace(/^=/u, ''));
      expect(out).not.toContain(Buffer.from(value).toString('base64'));
    }
    expect(records.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('asks for the variable, unless it is to send without', async () => {
    const folder = await createSecretProject(scheme);
    const { url, records } = await receiveWith(proof);
    const missing = await runInProcess(folder, ['send', 'order', '--to', url]);
    expect(missing.code).toBe(1);
    expect(missing.error).toContain('WEBHOOK_SECRET is not set');
    for (const [mistake, message] of [
      [' ', 'WEBHOOK_SECRET is not set'],
      ['undefined', 'WEBHOOK_SECRET is not set'],
      [`${value}\n`, 'WEBHOOK_SECRET begins or ends with white space'],
    ] as const) {
      const wrong = await runInProcess(folder, ['send', 'order', '--to', url], {
        WEBHOOK_SECRET: mistake,
      });
      expect(wrong).toMatchObject({ code: 1, out: '' });
      expect(wrong.error).toContain(message);
    }
    const without = await runInProcess(folder, ['send', 'order', '--to', url, '--no-signature']);
    expect(without.code).toBe(1);
    const other = await runInProcess(folder, ['send', 'order', '--to', url, '--key-env', 'OTHER'], {
      OTHER: `${value}!`,
    });
    expect(other.code).toBe(1);
    expect(records.map(({ detail }) => detail)).toEqual(['missing-secret', 'wrong-secret']);
  });
});

test('what the caller gives in the place of the secret is sent as it is', async () => {
  const [, bearer, query] = statedSecrets;
  for (const [stated, flags, target] of [
    [bearer, ['--header-env', 'Authorization=PROOF'], ''],
    [query, [], '/?key=hush+%26+hush'],
  ] as const) {
    const [, scheme = '', , proof] = stated ?? [];
    const folder = await createSecretProject(scheme);
    const { url, records } = await receiveWith(proof ?? (() => false));
    const all = ['send', 'order', '--to', url + target, ...flags];
    const { code, error } = await runInProcess(folder, all, { PROOF: 'Bearer hush-hush' });
    expect(code, error).toBe(0);
    expect(records).toHaveLength(1);
  }
});

test('after a 401, a secret that the contract states in a header is named with its option', async () => {
  const folder = await createSecretProject('type: apiKey, in: header, name: x-parcel-secret');
  const { url } = await receiveWith(sharedSecret({ header: 'x-parcel-secret' }, 'hush-hush-hush'));
  const missing = await runInProcess(folder, ['send', 'order', '--to', url]);
  expect(missing.code).toBe(1);
  expect(missing.out).toContain(
    'Give the variable that has it with --header-env x-parcel-secret=WEBHOOK_SECRET.\n',
  );
  const flags = ['--header-env', 'x-parcel-secret=WEBHOOK_SECRET'];
  const environment = { WEBHOOK_SECRET: 'hush-hush-hush' };
  const given = await runInProcess(folder, ['send', 'order', '--to', url, ...flags], environment);
  expect(given.code, given.error).toBe(0);
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basicCredentials } from '../../../../packages/runtime/webhooks/credentials.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { simulate, started } from './simulating.ts';
import { createSecretProject, receiveWith, statedSecrets } from '../../../cli/stated-secrets.ts';

const ports = ['--port', '0', '--no-console'];

test.each(statedSecrets)(
  'deliveries with %s carry the secret, and the journal does not have it',
  async (_name, scheme, value, proof) => {
    const folder = await createSecretProject(scheme);
    const { url, records } = await receiveWith(proof);
    const parameters = ['simulate', ...ports, '--to', url, '--deliveries', '3'];
    const { code, out, error } = await runInProcess(
      folder,
      [...parameters, '--journal', 'journal.db'],
      { WEBHOOK_SECRET: value },
    );
    expect(code, error).toBe(0);
    expect(out).toContain('3 of 3 deliveries acknowledged');
    expect(records.map(({ status }) => status)).toEqual([200, 200, 200]);
    const files = (await readdir(folder)).filter((name) => name.startsWith('journal.db'));
    expect(files).toContain('journal.db');
    const secret = value.replace(/^.*:/u, '');
    for (const name of files) {
      const text = await readFile(join(folder, name), 'latin1');
      for (const form of [secret, encodeURIComponent(secret), 'hush+', 'hush%20'])
        expect(text).not.toContain(form);
      expect(text).not.toContain(Buffer.from(value).toString('base64'));
    }
  },
);

test('a made secret of HTTP Basic has a user name, and is shown', async () => {
  const folder = await createSecretProject('type: http, scheme: basic');
  const simulation = simulate(folder, ['--json', '--no-console', '--to', 'http://127.0.0.1:9']);
  const { variables } = await started(simulation);
  expect(variables['WEBHOOK_SECRET']).toMatch(/^simulated:[\da-f]{32}$/u);
  expect(() => basicCredentials(variables['WEBHOOK_SECRET'] ?? '')).not.toThrow();
});

const unknown = 'in a way that the simulator does not support. Set its header';

test.each([
  ["type: openIdConnect, openIdConnectUrl: 'https://a.example/id'", unknown],
  ['type: http, scheme: digest', unknown],
  [
    'type: apiKey, in: header, name: x-parcel-secret',
    'by a secret in the header x-parcel-secret. Set it in `authentication.headers` (`countersign simulate --header-env x-parcel-secret=VARIABLE`)',
  ],
])('what cannot be authenticated with %s is reported with the reason', async (scheme, reason) => {
  const folder = await createSecretProject(scheme);
  const { url, records } = await receiveWith(() => true);
  const parameters = ['simulate', ...ports, '--to', url, '--deliveries', '2'];
  const { code, out, error } = await runInProcess(folder, parameters);
  expect(code).toBe(1);
  expect(out).toContain('0 of 2 deliveries acknowledged');
  expect(error).toContain(
    `2 of 2 deliveries could not be sent: The contract authenticates order ${reason}`,
  );
  expect(error).toContain('--header-env');
  expect(records).toEqual([]);
  const outcome = await runInProcess(folder, [...parameters, '--no-signature']);
  expect(outcome.out).toContain('2 of 2 deliveries acknowledged');
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, test } from 'vitest';
import { startTrial, type CertificateTrial } from './client-certificates.ts';

const run = promisify(execFile);

async function callFrom({ folder, env }: CertificateTrial): Promise<unknown> {
  const { stdout } = await run(
    process.execPath,
    ['--conditions=countersign-source', '--no-warnings', 'main.ts'],
    { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...env }, timeout: 60_000 },
  );
  return JSON.parse(stdout);
}

it.each([
  ['certificate.ts', ['first'], 0],
  ['renewing-certificate.ts', ['first', 'second'], 0],
  ['proxy.ts', ['first'], 1],
])(
  'calls and token requests from Node with %s carry the certificate',
  async (file, names, tunnels) => {
    await using trial = await startTrial(file);
    expect(await callFrom(trial)).toEqual(names.map((name) => ({ name })));
    expect(trial.arrived).toEqual(['/token first', ...names.map((name) => `/cashout ${name}`)]);
    expect(new Set(trial.tunnels)).toEqual(new Set(Array(tunnels).fill(trial.address)));
  },
);

test('the service gets no call with a certificate that it does not trust', async () => {
  await using trial = await startTrial('certificate.ts', true);
  expect(await callFrom(trial)).toEqual(['network']);
  expect(trial.arrived).toEqual([]);
});

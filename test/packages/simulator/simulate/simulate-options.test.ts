import { expect, it } from 'vitest';
import type { Terminal } from '../../../../generator/cli/terminal.ts';
import { readSendOptions } from '../../../../packages/simulator/src/send/send-options.ts';
import { readSimulateOptions } from '../../../../packages/simulator/src/simulate/simulate-options.ts';

const environment = { KEY: 'k'.repeat(32), DOOR: 'd'.repeat(32), HIDDEN: 'h'.repeat(32) };

const terminal: Terminal = {
  folder: import.meta.dirname,
  environment,
  outIsTerminal: false,
  errorIsTerminal: false,
  columns: 80,
  out: () => undefined,
  error: () => undefined,
};

it('reads the options of deliveries as send does', async () => {
  const options = {
    to: 'http://127.0.0.1:3000/hooks',
    answer: [['encoding', 'hex']] as const,
    signature: 'seal',
    keyEnv: 'KEY',
    headerEnv: [['X-Door', 'DOOR']] as const,
    pathSecretEnv: 'HIDDEN',
    publicUrl: '/hooks=/public',
    allowRemote: true,
  } as const;
  const shared = {
    to: new URL(options.to),
    allowRemote: true,
    answers: { encoding: 'hex' },
    authentication: {
      signature: 'seal',
      publicUrl: { received: '/hooks', called: '/public' },
      pathSecret: environment.HIDDEN,
      headers: { 'x-door': environment.DOOR },
    },
  };
  expect(await readSendOptions({ options, terminal })).toMatchObject(shared);
  const flags = { ...options, console: true, appendLabel: true };
  const { simulator, variables } = await readSimulateOptions(
    { options: flags, terminal },
    environment,
  );
  expect(simulator).toMatchObject({
    ...shared,
    authentication: { ...shared.authentication, key: environment.KEY },
  });
  expect(variables).toEqual({
    key: { name: 'KEY' },
    headers: [{ name: 'DOOR' }],
    path: { name: 'HIDDEN' },
  });
});

it('makes one value for a variable that several options read', async () => {
  const headerEnv = [
    ['x-door', 'NEW'],
    ['x-gate', 'NEW'],
  ] as const;
  const options = { console: true, appendLabel: true, headerEnv, pathSecretEnv: 'NEW' };
  const { simulator, variables } = await readSimulateOptions({ options, terminal }, {});
  const made = variables.path?.value;
  expect(made).toMatch(/^[\da-f]{32}$/u);
  expect(simulator.authentication).toMatchObject({
    pathSecret: made,
    headers: { 'x-door': made, 'x-gate': made },
  });
  expect(variables.headers).toEqual([
    { name: 'NEW', value: made },
    { name: 'NEW', value: made },
  ]);
});

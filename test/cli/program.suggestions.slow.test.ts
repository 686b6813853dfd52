import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';
import { runInProcess } from './run-in-process.ts';

const nowhere = ['--to', 'http://127.0.0.1:1/'];
const configFlags = ['--config', join(repository, 'countersign.config.ts')];

describe('what is nearly the name of', () => {
  it.each<[string, readonly string[], string]>([
    ['a command', ['genrate'], 'generate'],
    ['a command to get help for', ['help', 'genrate'], 'generate'],
    ['the command for help', ['hlp'], 'help'],
    ['an option', ['generate', '--wach'], '--watch'],
    ['an option of all commands', ['check', '--quite'], '--quiet'],
    ['an option without its unit', ['send', 'charge', '--timeout', '5'], '--timeout-ms'],
    ['a framework', ['scaffold', 'expres', 'app', ...configFlags], 'express'],
    ['a framework for a new project', ['init', 'new', '--yes', '--framework', 'fastfy'], 'fastify'],
    ['a CI for a new project', ['init', 'new', '--yes', '--ci', 'githb'], 'github'],
    [
      'a way to authenticate',
      ['scaffold', 'express', 'app', '--authenticate', 'shared-secrt', ...configFlags],
      'shared-secret',
    ],
    [
      'an entry of the ledger',
      ['scaffold', 'express', 'app', '--answer', 'delivery-identty=same-content', ...configFlags],
      'delivery-identity',
    ],
    [
      'a choice of an entry',
      ['scaffold', 'express', 'app', '--answer', 'delivery-identity=same-contnt', ...configFlags],
      'same-content',
    ],
    ['an event', ['send', 'chrge', ...nowhere, ...configFlags], 'charge'],
    [
      'an example',
      ['send', 'charge', '--example', 'with-payr', ...nowhere, ...configFlags],
      'with-payer',
    ],
    [
      'a signature',
      ['send', 'charge', '--signature', 'signatur', ...nowhere, ...configFlags],
      'signature',
    ],
    [
      'a parameter of a label',
      [
        'send',
        'dueDateCharge',
        '--append-label',
        '--parameter',
        'txd=1',
        ...nowhere,
        ...configFlags,
      ],
      'txid',
    ],
    ['something generated', ['explain', 'isChrge', ...configFlags], 'isCharge'],
    [
      'a scope',
      ['explain', 'isCharge', '--scope', '@instant-paymnt', ...configFlags],
      '@instant-payment',
    ],
  ])('%s, the error says what was meant', async (_, parameters, meant) => {
    const folder = await temporaryFolder();
    const { code, out, error } = await runInProcess(folder, parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(new RegExp(`Did you mean "?${meant}"?\\?`, 'u'));
  });

  it.each<[string, object, string]>([
    ['a key', { ouput: 'generated' }, 'output'],
    ['a key further down', { contract: { openapi: 'a.yaml', overlay: [] } }, 'overlays'],
    ['a budget', { budgets: { maxNode: 1 } }, 'maxNodes'],
    ['a target', { targets: ['webhooks-expres'] }, 'webhooks-express'],
    ['a rule of lint', { lint: { rules: { 'uncited-fct': 'off' } } }, 'uncited-fact'],
  ])('%s of the configuration, the error says what was meant', async (_, change, meant) => {
    const folder = await temporaryFolder();
    const contract = { openapi: 'a.yaml' };
    const config = { contract, scope: '@a', output: 'out', targets: ['contract'], ...change };
    await writeTree(folder, { 'countersign.config.json': JSON.stringify(config) });
    const { code, error } = await runInProcess(folder, ['generate']);
    expect(code).toBe(2);
    expect(error).toMatch(new RegExp(`did you mean ["\`]${meant}["\`]\\?`, 'u'));
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import type { SimulatorContext } from '../../../packages/simulator/src/context.ts';
import { createContext } from '../../../packages/simulator/src/create-context.ts';
import type { Service, SimulatorOptions } from '../../../packages/simulator/src/index.ts';
import { createMemoryJournal } from '../../../packages/simulator/src/memory-journal.ts';
import { createClock } from '../../../packages/simulator/src/virtual-clock.ts';

const description: Service = {
  modelVersion: 2,
  info: { title: 'Parcels', version: '1.0.0' },
  operations: [],
  notifications: [],
  security: [],
  workflows: [],
  servers: { overrides: [], tokenEndpoints: [] },
  samples: { bodies: {}, payloads: {} },
  checks: new Map(),
  parameterChecks: new Map(),
  credentials: [
    { name: 'signingKey', form: 'key' },
    { name: 'account', form: 'text' },
    { name: 'login', form: 'pair' },
  ],
  unstated: [
    {
      id: 'key-encoding',
      optionName: 'keyEncoding',
      question: 'How is the key encoded?',
      assumed: 'hex',
      choices: [
        { name: 'text', meaning: 'As text.', value: 'utf-8' },
        { name: 'hex', meaning: 'As digits.', value: 'hex' },
      ],
    },
    {
      id: 'separator',
      optionName: 'separator',
      question: 'Is there a separator?',
      choices: [
        { name: 'none', meaning: 'None.', value: { text: '' } },
        { name: 'dot', meaning: 'A dot.', value: { text: '.' } },
      ],
    },
    { id: 'retries', optionName: 'retries', question: 'How often?', choices: [] },
  ],
};

function create(options: SimulatorOptions = {}): SimulatorContext {
  const clock = createClock(true);
  onTestFinished(() => clock.close());
  return createContext(description, options, clock, createMemoryJournal());
}

describe('a context', () => {
  it('answers with the given choice, the assumed one, or the first', () => {
    expect(create().answers).toEqual({ 'key-encoding': 'hex', separator: 'none' });
    expect(create({ answers: { 'key-encoding': 'text', separator: 'dot' } }).answers).toEqual({
      'key-encoding': 'text',
      separator: 'dot',
    });
  });

  it('settles values that the contract leaves open', () => {
    const { settle } = create({ answers: { separator: 'dot' } });
    expect(settle({ unstated: 'separator' })).toEqual({ text: '.' });
    expect(settle<string>({ unstated: 'key-encoding' })).toBe('hex');
    expect(settle('base64')).toBe('base64');
    expect(settle({ text: '' })).toEqual({ text: '' });
    expect(settle(300)).toBe(300);
  });

  it('makes up credentials by the seed', () => {
    const { credentials } = create({ seed: 7 });
    expect(credentials['signingKey']).toMatch(/^[\da-f]{32}$/u);
    expect(credentials['account']).toMatch(/^simulated-account-[\da-f]{12}$/u);
    expect(credentials['login']).toMatch(/^simulated-login:[\da-f]{32}$/u);
    expect(create({ seed: 7 }).credentials).toEqual(credentials);
    expect(create({ seed: 8 }).credentials).not.toEqual(credentials);
    expect(create({ seed: 7, credentials: { account: 'mine' } }).credentials).toEqual({
      ...credentials,
      account: 'mine',
    });
  });

  it.each<[string, string]>([
    ['', 'is empty, or a text'],
    ['\n', 'is empty, or a text'],
    ['undefined', 'is empty, or a text'],
    ['hush\n', 'begins or ends with white space'],
  ])('refuses the secret %j', (secret, message) => {
    const refused = expect.objectContaining({
      code: 'invalid-option',
      message: expect.stringMatching(new RegExp(`^(?!.*hush).*${message}`, 'u')) as string,
    });
    expect(() => create({ credentials: { account: secret } })).toThrow(refused);
    expect(() => create({ authentication: { key: secret } })).toThrow(refused);
    expect(() => create({ authentication: { previousKey: secret } })).toThrow(refused);
    expect(() => create({ authentication: { pathSecret: secret } })).toThrow(refused);
  });

  it.each<[SimulatorOptions, string]>([
    [{ answers: { other: 'x' } }, 'The contract has no open question "other".'],
    [
      { answers: { separator: 'comma' } },
      '"comma" is not an answer to "separator". The choices are none, dot.',
    ],
    [
      { credentials: { other: 'hidden' } },
      'The contract has no credential "other". The credentials are signingKey, account, login.',
    ],
  ])('refuses %o', (options, message) => {
    expect(() => create(options)).toThrow(
      expect.objectContaining({ name: 'SimulatorError', code: 'unknown-name', message }),
    );
  });

  it('redacts all credentials, and the parts of pairs', () => {
    const { credentials, redactor } = create({
      credentials: { login: 'user-name:pass-word' },
      authentication: {
        key: 'given-key',
        previousKey: 'previous-key',
        headers: { 'x-secret': 'shared-secret' },
      },
    });
    const secrets = [
      ...Object.values(credentials),
      'pass-word',
      'given-key',
      'previous-key',
      'shared-secret',
    ];
    for (const secret of secrets) {
      expect(redactor.redact(`a ${secret} b`)).toBe('a [redacted] b');
      const encoded = Buffer.from(secret).toString('base64');
      expect(redactor.redact(encoded)).toBe('[redacted]');
    }
  });
});

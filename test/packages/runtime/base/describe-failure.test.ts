import { describe, expect, test } from 'vitest';
import { describeFailure } from '../../../../packages/runtime/base/index.ts';

class PaymentError extends Error {
  readonly code: unknown;

  constructor(message: string, code?: unknown) {
    super(message);
    this.code = code;
  }
}

/** Creates an error with this stack, as a runtime creates it. */
function withStack(message: string, stack: string): Error {
  return Object.defineProperties(new Error(message), { stack: { value: stack } });
}

describe('the name of a failure', () => {
  test.each<readonly [string, unknown, string]>([
    ['an error', new TypeError('secret'), 'TypeError'],
    ['a class without a name of its own', new PaymentError('secret'), 'PaymentError'],
    ['a code', new PaymentError('secret', 'E_LIMIT'), 'PaymentError [E_LIMIT]'],
    ['a numeric code', new PaymentError('secret', 11000), 'PaymentError [11000]'],
    ['a code with spaces', new PaymentError('secret', 'a person'), 'PaymentError'],
    ['a code with a line feed', new PaymentError('secret', 'A\nB'), 'PaymentError'],
    ['a long code', new PaymentError('secret', 'A'.repeat(65)), 'PaymentError'],
    ['an infinite code', new PaymentError('secret', Infinity), 'PaymentError'],
    ['a name in place of a class', Object.assign(new Error('x'), { name: 'Named' }), 'Named'],
    ['a name that is not a name', Object.assign(new Error('x'), { name: 'a secret' }), 'Error'],
    ['a name with a line feed', Object.assign(new Error('x'), { name: 'A\nB' }), 'Error'],
    ['a long name', Object.assign(new Error('x'), { name: 'A'.repeat(65) }), 'Error'],
    ['an object', { message: 'secret', code: 'E1' }, 'Object [E1]'],
    ['an object without a prototype', Object.create(null), 'object'],
    ['a text', 'secret', 'a thrown string'],
    ['nothing', undefined, 'a thrown undefined'],
    ['null', null, 'a thrown null'],
    [
      'causes',
      new Error('secret', { cause: new PaymentError('secret', 'EPIPE') }),
      'Error, caused by PaymentError [EPIPE]',
    ],
  ])('of %s', (_what, error, name) => {
    expect(describeFailure(error).name).toBe(name);
  });

  test('is that of the error where a bundler shortened the class', () => {
    const Shortened = { e: class extends Error {} }.e;
    expect(describeFailure(Object.assign(new Shortened('x'), { name: 'Shown' })).name).toBe(
      'Shown',
    );
  });

  test('ends after three causes, also where they are a circle', () => {
    const error = new Error('x');
    error.cause = error;
    expect(describeFailure(error).name).toBe('Error, caused by Error, caused by Error');
  });

  test('needs nothing of a value whose members throw', () => {
    const hostile = new Proxy(new Error('secret'), {
      get: () => {
        throw new Error('secret');
      },
    });
    expect(describeFailure(hostile)).toEqual({ name: 'object', frame: undefined });
  });
});

describe('the frame of a failure', () => {
  const real = '    at handle (file:///app/handlers.ts:10:7)';

  test('is where the error was created', () => {
    expect(
      describeFailure(new PaymentError('a\n    at secret (file:///a.ts:1:1)\n')).frame,
    ).toMatch(/describe-failure\.test\.ts\S*:\d+:\d+\)?$/);
  });

  test('is not in the code of the runtime, if another is not', () => {
    expect.hasAssertions();
    try {
      JSON.parse('{');
    } catch (error) {
      expect(describeFailure(error).frame).toMatch(/describe-failure\.test\.ts\S*:\d+:\d+\)?$/);
    }
  });

  test.each<readonly [string, Error, string | undefined]>([
    ['a message', withStack('a b', `Error: a b\n${real}`), 'handle (file:///app/handlers.ts:10:7)'],
    ['no message', withStack('', `Error\n${real}`), 'handle (file:///app/handlers.ts:10:7)'],
    [
      'a class with a code',
      withStack('a', `TypeError [ERR_X]: a\n${real}`),
      'handle (file:///app/handlers.ts:10:7)',
    ],
    [
      'a message that looks like frames',
      withStack('a\n    at secret (x:1:1)', `Error: a\n    at secret (x:1:1)\n${real}`),
      'handle (file:///app/handlers.ts:10:7)',
    ],
    [
      'a message that was changed afterwards',
      withStack('changed', `Error: a\n    at secret (x:1:1)\n${real}`),
      undefined,
    ],
    [
      'a message that was removed afterwards',
      withStack('', `Error: a\n    at secret (x:1:1)\n${real}`),
      undefined,
    ],
    [
      'a message that was changed to a part of it',
      withStack('part', `Error: a: part\n    at secret (x:1:1)\n${real}`),
      undefined,
    ],
    ['no frames', withStack('a', 'Error: a'), undefined],
    ['text behind the message', withStack('a', `Error: a b\n${real}`), undefined],
    [
      'only frames of the runtime',
      withStack('a', 'Error: a\n    at node:internal/x:1:2\n    at async node:y:3:4'),
      'node:internal/x:1:2',
    ],
    [
      'control characters',
      withStack('a', 'Error: a\n    at \u001B[31m\u202Ered (file:///a.ts:1:2)'),
      '?[31m?red (file:///a.ts:1:2)',
    ],
  ])('of a stack with %s', (_what, error, frame) => {
    expect(describeFailure(error).frame).toBe(frame);
  });

  test('has a bounded length', () => {
    const long = withStack('a', `Error: a\n    at ${'f'.repeat(1000)} (file:///a.ts:1:2)`);
    expect(describeFailure(long).frame).toHaveLength(300);
  });
});

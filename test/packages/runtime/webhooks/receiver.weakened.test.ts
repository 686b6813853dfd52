import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Catalogue, Check, Receive } from '../../../../packages/runtime/webhooks/receiver.ts';
import { adapters } from './adapters.ts';
import { rules } from './conformance.ts';
import {
  importWebhooks,
  type ImportedWebhooks,
  type WebhooksModule,
} from './generated-webhooks.ts';
import { Workbench } from './workbench.ts';

/** Checks inside the receiver that no option switches off; here they are while their name stands. */
const off = vi.hoisted(() => new Set<string>());

vi.mock(import('../../../../packages/runtime/webhooks/contract.ts'), async (original) => {
  const real = await original();
  const naive = (path: string): readonly string[] =>
    path.split(/\/|%2f/iu).filter((segment) => segment !== '' && !segment.includes('..'));
  return {
    ...real,
    pathSegments: (path) => (off.has('paths') ? naive(path) : real.pathSegments(path)),
  };
});

vi.mock(import('../../../../packages/runtime/webhooks/identify.ts'), async (original) => {
  const real = await original();
  const everything: Check = { accepts: () => true, violations: () => [] };
  const withoutChecks = <T extends { readonly check: Check }>(
    all: ReadonlyMap<string, T>,
  ): ReadonlyMap<string, T> =>
    new Map([...all].map(([name, entry]) => [name, { ...entry, check: everything }]));
  const accepting = (catalogue: Catalogue): Catalogue => ({
    ...catalogue,
    kinds: withoutChecks(catalogue.kinds),
    forms: new Map(
      [...catalogue.forms].map(([name, form]) => [name, { ...form, checks: [everything] }]),
    ),
  });
  return {
    ...real,
    parseBody(body, parsing) {
      if (!off.has('characters')) return real.parseBody(body, parsing);
      return real.parseBody(new TextEncoder().encode(new TextDecoder().decode(body)), parsing);
    },
    identify: (catalogue, from, label, body, numbers) =>
      real.identify(
        off.has('validation') ? accepting(catalogue) : catalogue,
        from,
        off.has('label') ? undefined : label,
        body,
        numbers,
      ),
  };
});

interface Weakening {
  /** The name of a check inside. */
  readonly off?: string;
  readonly options?: object;
  readonly main?: (main: WebhooksModule) => Partial<WebhooksModule>;
  /** Rules that have to notice. */
  readonly noticed: readonly RegExp[];
}

const weakenings: Readonly<Record<string, Weakening>> = {
  authentication: {
    options: { authenticate: () => true },
    noticed: [/^a delivery: .* 401/, /^a secret: .* 401/, /^what is not a timestamp/],
  },
  'the tolerance of timestamps': {
    main: ({ verifySignature }) => ({
      verifySignature: (options) => verifySignature({ ...options, toleranceMs: 1e12 }),
    }),
    noticed: [/^a delivery from the (?:past|future)/, /^a timestamp may differ/],
  },
  'the strict scan': {
    options: { strict: false, numbers: 'refuse' },
    noticed: [/key twice/, /__proto__/, /30,000/, /9007199254740993/, /1e400/],
  },
  'the check of characters': {
    off: 'characters',
    noticed: [/Latin-1/, /invalid UTF-8/, /two byte order marks/],
  },
  'the check of encodings': {
    main: ({ createWebhooks }) => ({
      createWebhooks(options) {
        const webhooks = createWebhooks(options);
        const receive: Receive = (request, ...rest) => {
          const headers = (name: string): readonly string[] =>
            name === 'content-encoding' ? [] : request.headers(name);
          return webhooks.receive({ ...request, headers }, ...rest);
        };
        return { ...webhooks, receive };
      },
    }),
    noticed: [/^the encoding/],
  },
  'the limit of the size': {
    options: { maxBodyBytes: 100_000_000 },
    noticed: [/^the size: 20 MB/],
  },
  'limits of time': {
    options: { readTimeoutMs: 20_000, authenticationTimeoutMs: 20_000, handlerTimeoutMs: 20_000 },
    noticed: [/^the time/, /^a handler that hangs/],
  },
  'the list of methods': {
    options: { methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    noticed: [/^the method/],
  },
  'the check of paths': { off: 'paths', noticed: [/^the path: (?!a URL with a trailing slash)/] },
  'the check of kinds against labels': {
    off: 'label',
    noticed: [/at the label of .* refused with 422/],
  },
  validation: {
    off: 'validation',
    noticed: [
      /^every invalid example is refused/,
      /^onInvalid gets/,
      /^neither an answer nor a record/,
    ],
  },
  'the recognition of duplicates': {
    options: { deliveryIdentity: 'every-delivery', handlerTimeoutMs: 300 },
    noticed: [/^the same delivery again/, /^of two equal deliveries/],
  },
};

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterEach(() => off.clear());
afterAll(() => imported[Symbol.asyncDispose]());

describe('the conformance suite notices a receiver without', () => {
  test.each(Object.entries(weakenings))('%s', async (_name, weakening) => {
    const [adapter] = adapters;
    if (adapter === undefined) throw new Error('There is no adapter');
    const main = { ...imported.main, ...weakening.main?.(imported.main) };
    const bench = new Workbench({ ...imported, main }, adapter, () => weakening.options ?? {});
    if (weakening.off !== undefined) off.add(weakening.off);
    const watching = weakening.noticed.flatMap((pattern) => {
      const matchingRules = rules.filter(({ name }) => pattern.test(name));
      expect(matchingRules.length, String(pattern)).toBeGreaterThan(0);
      return matchingRules;
    });
    await Promise.all(
      watching.map(({ name, run }) =>
        // Without a limit of time, a rule waits for ever.
        expect(Promise.race([run(bench), noAnswer()]), name).rejects.toThrow(),
      ),
    );
  });
});

async function noAnswer(): Promise<never> {
  await sleep(3000, undefined, { ref: false });
  throw new Error('There was no answer.');
}

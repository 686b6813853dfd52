import { afterAll, beforeAll, expect, test } from 'vitest';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';

/** The questions whose answers may narrow what this test sends. */
const questions = ['label-in-url', 'label-method'];

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

test('the questions about labels are open', () => {
  const open = imported.contract.unstated.filter(({ settled }) => settled === undefined);
  expect(open.map(({ id }) => id)).toEqual(expect.arrayContaining(questions));
});

test.each(['POST', 'PUT'])(
  'each kind reaches its handler by %s, at the URL of the webhook and at that of its label',
  async (method) => {
    const { contract, main } = imported;
    for (const { name, label, ambiguousWith, examples } of contract.notifications) {
      const paths = ['/', '/hooks'];
      if (label !== undefined)
        paths.push(...['', '/hooks'].map((base) => base + label.path.replaceAll(/[{}]/gu, '')));
      for (const path of paths) {
        for (const { name: example, value } of examples) {
          const seen: (readonly string[])[] = [];
          const { fetch } = main.createWebhooks({
            authenticate: main.unauthenticated(),
            on: {},
            otherwise: {
              rest: (event: { kind: string | null; kinds?: readonly string[] }) =>
                void seen.push(event.kinds ?? [event.kind ?? 'none']),
            },
            onInvalid: ({ reason }: { reason: string }) => void seen.push([reason]),
          });
          const sent = { method, body: JSON.stringify(value) };
          const { status } = await fetch(new Request(`http://127.0.0.1${path}`, sent));
          const what = `${method} ${path}: ${name}.${example}`;
          expect([what, status]).toEqual([what, 200]);
          expect(seen.length, what).toBeGreaterThan(0);
          for (const kinds of seen) {
            expect(kinds, what).toContain(name);
            for (const kind of kinds) expect([name, ...ambiguousWith], what).toContain(kind);
          }
        }
      }
    }
  },
);

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '../../../generator/contract/events.ts';
import type { Deviations } from '../../../packages/runtime/webhooks/deviations.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { repository } from '../emit-project.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { readPayloads, type Origin, type Payload } from './octokit/payloads.ts';
import { DocumentValidator } from './octokit/document-validator.ts';
import { readDocument, readWebhooks } from './octokit/read-document.ts';

interface Deviating {
  readonly kind: string;
  readonly data: unknown;
  readonly violations: readonly { readonly pointer: string; readonly message: string }[];
}

const secret = 'It is a secret to everybody';

let generated: GeneratedWebhooks;
let receiver: WebhooksModule;
let handOver: (handlers: object) => Deviations;
let kinds: readonly string[];
let validator: DocumentValidator;
/** The keywords that deliveries violate and are handed over with. */
const objections = new Set<string>();

beforeAll(async () => {
  const contract = await readWebhooks();
  validator = new DocumentValidator(await readDocument());
  kinds = eventsOf(contract).kinds.map(({ notification }) => notification.name);
  generated = await generateWebhooks(contract);
  // By Node itself: a thousand modules would otherwise be transformed one by one.
  const require = createRequire(import.meta.url);
  receiver = require(join(generated.webhooks, 'src/index.ts')) as WebhooksModule;
  ({ handOver } = require(join(generated.webhooks, 'src/deviations.ts')) as {
    handOver: typeof handOver;
  });
}, 300_000);
afterAll(() => generated[Symbol.asyncDispose]());

/** Delivers a payload to a receiver to which every kind is handed over. */
async function deliver({ event, body, title }: Payload): Promise<string> {
  const text = JSON.stringify(body);
  const ends: string[] = [];
  const webhooks = receiver.createWebhooks({
    authenticate: receiver.verifySignature({ keys: [secret] }),
    on: {},
    otherwise: {
      rest: ({ kind }: { readonly kind: string | null }) =>
        ends.push(kind === null ? 'unknown' : 'valid'),
    },
    onInvalid: () => void ends.push('refused'),
    deviations: handOver(
      Object.fromEntries(
        kinds.map((kind) => [
          kind,
          ({ kind: handed, data, violations }: Deviating) => {
            expect({ handed, data }).toEqual({ handed: kind, data: body });
            expect(violations, title).not.toEqual([]);
            for (const objection of validator.objections(kind, body)) {
              const [pointer = '', keyword = ''] = objection.split(' ');
              objections.add(keyword);
              const value = keyword === 'required' ? null : valueAt(body, pointer);
              expect(holdsNumber(value), `${title}: ${objection}`).toBe(false);
            }
            ends.push('handed over');
          },
        ]),
      ),
    ),
  });
  const headers = { 'X-GitHub-Event': event, 'X-Hub-Signature-256': await sign(secret, text) };
  const init = { method: 'POST', headers, body: text };
  const { status } = await webhooks.fetch(new Request('http://127.0.0.1/hooks', init));
  const [end = '', ...furtherEnds] = ends;
  expect(furtherEnds, title).toEqual([]);
  expect(status, title).toBe(end === 'refused' ? 422 : 200);
  return end;
}

/** By origin: payloads, valid ones, refused ones, ones that are handed over, and ones of no kind. */
const origins: readonly (readonly [Origin, number, number, number, number, number])[] = [
  ['api.github.com', 329, 207, 23, 99, 0],
  ['ghes-31', 49, 23, 11, 10, 5],
  ['ghes-32', 49, 23, 11, 10, 5],
  ['ghes-33', 50, 23, 12, 10, 5],
  ['ghes-34', 124, 55, 36, 21, 12],
  ['ghes-35', 125, 55, 37, 21, 12],
];

test.each(origins)(
  'of the payloads of %s, those are handed over whose violations touch no number',
  async (origin, allCount, validCount, refusedCount, handedOverCount, unknownCount) => {
    const ends = await Promise.all((await readPayloads(origin)).map(deliver));
    const count = (end: string): number => ends.filter((deliveryEnd) => deliveryEnd === end).length;
    expect({
      all: ends.length,
      valid: count('valid'),
      refused: count('refused'),
      handedOver: count('handed over'),
      unknown: count('unknown'),
    }).toEqual({
      all: allCount,
      valid: validCount,
      refused: refusedCount,
      handedOver: handedOverCount,
      unknown: unknownCount,
    });
  },
  120_000,
);

test('other keywords than `required` are violated as well', () => {
  expect(objections.size).toBeGreaterThan(2);
});

test('the documentation has these counts', async () => {
  const sum = (column: 1 | 2 | 3 | 4 | 5): number =>
    origins.reduce((total, origin) => total + origin[column], 0);
  const invalid = sum(3) + sum(4);
  const decision = 'docs/decisions/0062-deviating-deliveries.md';
  const text = await readFile(join(repository, decision), 'utf8');
  expect(text).toContain(`${invalid} of ${sum(1)} payloads`);
  expect(text).toContain(`Of the ${invalid} payloads, ${sum(4)} could be handed over.`);
});

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>(
    (here, name) => (here as Readonly<Record<string, unknown>>)[name.replaceAll('~1', '/')],
    value,
  );
}

function holdsNumber(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNumber);
}

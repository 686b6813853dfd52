import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Contract } from '../../../generator/contract/contract.ts';
import { eventsOf } from '../../../generator/contract/events.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { compileStrictly, resolutionNames } from '../strict-compile.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { DocumentValidator, type Objection } from './octokit/document-validator.ts';
import { readPayloads, type Payload } from './octokit/payloads.ts';
import { overlayFile, readDocument, readWebhooks } from './octokit/read-document.ts';
import { toOverlay, type WebhooksDocument } from './octokit/to-overlay.ts';

interface Violation {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** What became of a delivery. */
interface Outcome {
  readonly title: string;
  readonly status: number;
  /** The one kind that it is, or should be; `null` for none. */
  readonly kind: string | null;
  readonly violations: readonly Violation[];
}

const secret = 'It is a secret to everybody';

let document: WebhooksDocument;
let contract: Contract;
let generated: GeneratedWebhooks;
let receiver: WebhooksModule;
let validator: DocumentValidator;

beforeAll(async () => {
  document = await readDocument();
  validator = new DocumentValidator(document);
  contract = await readWebhooks();
  generated = await generateWebhooks(contract);
  // By Node itself: a thousand modules would otherwise be transformed one by one.
  const require = createRequire(import.meta.url);
  receiver = require(join(generated.webhooks, 'src/index.ts')) as WebhooksModule;
}, 300_000);
afterAll(() => generated[Symbol.asyncDispose]());

/** Delivers a payload, signed by the vendor's own library; throws where it arrives as several kinds. */
async function deliver(
  { event, title, body }: Payload,
  text: string = JSON.stringify(body),
  signature?: string,
): Promise<Outcome> {
  const kinds: (string | null)[] = [];
  let violations: readonly Violation[] = [];
  const webhooks = receiver.createWebhooks({
    authenticate: receiver.verifySignature({ keys: [secret] }),
    on: {},
    otherwise: {
      rest(received: { readonly kind: string | null; readonly ambiguous: boolean }) {
        if (received.ambiguous) throw new Error(`${title} is ambiguous`);
        kinds.push(received.kind);
      },
    },
    onInvalid(delivery: {
      readonly kinds: readonly string[];
      readonly violations: readonly Violation[];
    }) {
      kinds.push(...delivery.kinds);
      ({ violations } = delivery);
    },
  });
  const headers = {
    'X-GitHub-Event': event,
    'X-Hub-Signature-256': signature ?? (await sign(secret, text)),
  };
  const request = new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body: text });
  const { status } = await webhooks.fetch(request);
  const [kind = null, ...furtherKinds] = kinds;
  if (furtherKinds.length > 0) throw new Error(`${title} is of several kinds: ${kinds.join(', ')}`);
  return { title, status, kind, violations };
}

test('the overlay is the result of its script for the document', async () => {
  const overlayText = await readFile(overlayFile, 'utf8');
  expect(parse(overlayText)).toEqual(toOverlay(document));
});

test('every webhook is a kind of its own, told by at most two values', () => {
  const { kinds, unions } = eventsOf(contract);
  const { kindOf } = contract.recognition;
  expect(kinds).toHaveLength(261);
  expect(unions).toEqual([]);
  const longest = (next: typeof kindOf.start): number => {
    const node = typeof next === 'number' ? kindOf.nodes[next] : undefined;
    if (node === undefined) return 0;
    return (
      1 +
      Math.max(
        ...[...node.values, ...node.types, [0, node.rest] as const].map(([, way]) => longest(way)),
      )
    );
  };
  expect(longest(kindOf.start)).toBe(2);
  expect(kindOf.nodes).toHaveLength(62);
});

test.each(resolutionNames)(
  'everything compiles under every flag: %s',
  async (resolution) => {
    const options = { compiler: 'ts7', resolution, from: 'source', withRuntimes: true } as const;
    await expect(
      compileStrictly(generated.project, ['contract/src', 'webhooks/src'], options),
    ).resolves.toBeUndefined();
  },
  120_000,
);

test('no file says any, or turns a check off', async () => {
  const sources = await Promise.all(
    ['contract/src', 'webhooks/src'].map((path) =>
      readdir(join(generated.project, path), { recursive: true, withFileTypes: true }),
    ),
  );
  const files = sources.flat().filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const { parentPath, name } of files) {
    const text = await readFile(join(parentPath, name), 'utf8');
    const codeAlone = text.replaceAll(
      /\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g,
      '',
    );
    expect(codeAlone, name).not.toMatch(/\bany\b|\bas unknown\b|@ts-/);
  }
});

describe('a payload', () => {
  /**
   * By origin: payloads, those accepted as the kind they are, those that break the document's schema of their kind, and
   * those of which the document has no kind. It describes the service of today; payloads of its older servers, and some
   * that the community contributed, lack members that it has come to require.
   */
  const origins = [
    ['api.github.com', 329, 207, 122, 0],
    ['ghes-31', 49, 23, 21, 5],
    ['ghes-32', 49, 23, 21, 5],
    ['ghes-33', 50, 23, 22, 5],
    ['ghes-34', 124, 55, 57, 12],
    ['ghes-35', 125, 55, 58, 12],
  ] as const;

  test.each(origins)(
    'of %s is accepted exactly where the document accepts it',
    async (origin, all, accepted, refused, unknown) => {
      const payloads = await readPayloads(origin);
      const outcomes: Outcome[] = [];
      for (const payload of payloads) {
        const outcome = await deliver(payload);
        outcomes.push(outcome);
        const { kind, violations, status, title } = outcome;
        if (kind === null) continue;
        const objections = violations.map(
          ({ pointer, keyword }): Objection => `${pointer} ${keyword}`,
        );
        const expected = new Set(validator.objections(kind, payload.body));
        expect(new Set(objections), title).toEqual(expected);
        expect(status, title).toBe(expected.size === 0 ? 200 : 422);
      }
      const unidentified = outcomes.filter(({ kind }) => kind === null);
      const count = (wanted: number): number =>
        outcomes.filter(({ status }) => status === wanted).length;
      expect({
        all: payloads.length,
        accepted: count(200) - unidentified.length,
        refused: count(422),
        unknown: unidentified.length,
      }).toEqual({ all, accepted, refused, unknown });
      if (origin === 'api.github.com')
        await expect(toTable(outcomes)).toMatchFileSnapshot('octokit/refused.txt');
    },
    120_000,
  );

  test('with a number that no double holds is invalid, and names the number', async () => {
    const payload = await readPayload('star');
    const text = JSON.stringify(payload.body);
    const inexact = text.replace(/"id":\d+/, '"id":9007199254740993');
    expect(inexact).not.toBe(text);
    expect(await deliver(payload, text)).toMatchObject({ status: 200 });
    expect(await deliver(payload, inexact)).toMatchObject({
      status: 422,
      violations: [{ pointer: '/repository/id', keyword: 'number' }],
    });
  });

  test('that was changed in transit is refused unread', async () => {
    const payload = await readPayload('star');
    const text = JSON.stringify(payload.body);
    const signature = await sign(secret, text);
    expect(await deliver(payload, `${text} `, signature)).toMatchObject({
      status: 401,
      kind: null,
    });
  });
});

async function readPayload(event: string): Promise<Payload> {
  const payload = (await readPayloads('api.github.com')).find((each) => each.event === event);
  if (payload === undefined) throw new Error(`There is no payload of ${event}`);
  return payload;
}

/** What was not accepted and why, a rule that is broken a line. */
function toTable(outcomes: readonly Outcome[]): string {
  const lines = outcomes.flatMap(({ title, violations }) =>
    violations.map(
      ({ pointer, message }) => `${title}: ${pointer === '' ? 'the body' : pointer} ${message}`,
    ),
  );
  return `${lines.join('\n')}\n`;
}

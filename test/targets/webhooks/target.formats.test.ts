import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

const hook = (mediaType: string, schema: object, more: object = {}): object => ({
  post: {
    requestBody: { content: { [mediaType]: { schema } } },
    responses: { 200: { description: 'Done' } },
    ...more,
  },
});
const open = { type: 'object' };
const needing = (name: string): object => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'integer' } },
});

/** How a receiver of webhooks answers a body: the kind or kinds, or the reason of `onInvalid`. */
class Receiver implements AsyncDisposable {
  readonly #generated: GeneratedWebhooks;
  readonly #webhooks: WebhooksModule;

  private constructor(generated: GeneratedWebhooks, webhooks: WebhooksModule) {
    this.#generated = generated;
    this.#webhooks = webhooks;
  }

  static async of(webhooks: Readonly<Record<string, object>>): Promise<Receiver> {
    const { contract, diagnostics } = await lowerFiles({
      'openapi.yaml': JSON.stringify({
        openapi: '3.1.1',
        info: { title: 'Hooks', version: '1.0.0' },
        webhooks,
      }),
    });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    const generated = await generateWebhooks(contract);
    const entry = pathToFileURL(join(generated.webhooks, 'src/index.ts')).href;
    return new Receiver(generated, (await import(entry)) as WebhooksModule);
  }

  async deliver(body: string | Uint8Array<ArrayBuffer>, type: string): Promise<unknown> {
    const seen: unknown[] = [];
    const { fetch } = this.#webhooks.createWebhooks({
      authenticate: this.#webhooks.unauthenticated(),
      on: {},
      otherwise: {
        rest(event: { kind: string | null; kinds?: readonly string[]; recognizedBy?: string }) {
          const kind = event.kinds?.join(' or ') ?? String(event.kind);
          seen.push(event.recognizedBy === undefined ? kind : `${kind} by ${event.recognizedBy}`);
        },
      },
      onInvalid: ({ reason }: { reason: string }) => void seen.push(`invalid: ${reason}`),
    });
    const headers = { 'content-type': type };
    await fetch(new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body }));
    expect(seen).toHaveLength(1);
    return seen[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#generated[Symbol.asyncDispose]();
  }
}

describe('a body of another media type', () => {
  let all: Receiver;
  let structured: Receiver;
  beforeAll(async () => {
    all = await Receiver.of({
      order: hook('application/json', needing('n')),
      form: hook('application/x-www-form-urlencoded', open),
      feed: hook('application/atom+xml', open),
      note: hook('text/plain', { type: 'string' }),
      image: hook('image/png', {}),
    });
    structured = await Receiver.of({
      order: hook('application/json', open),
      form: hook('application/x-www-form-urlencoded', open),
      feed: hook('text/xml', open),
    });
  });
  afterAll(async () => {
    await all[Symbol.asyncDispose]();
    await structured[Symbol.asyncDispose]();
  });

  test.each([
    ['JSON', '{"n":1}', 'application/json', 'order or note or image'],
    ['JSON that claims to be XML', '{"n":1}', 'application/xml', 'order or note or image'],
    ['a form', 'n=1', 'application/x-www-form-urlencoded', 'form or note or image'],
    ['text', 'hello', 'text/plain', 'form or note or image'],
    ['XML', '<n>1</n>', 'application/xml', 'invalid: body'],
    [
      'XML that claims to be a form',
      '<n>1</n>',
      'application/x-www-form-urlencoded',
      'invalid: body',
    ],
    ['bytes', new Uint8Array([0x89, 0x50, 0xff]), 'image/png', 'invalid: encoding'],
  ])('is never taken for another kind, beside text and bytes: %s', async (_, body, type, kind) => {
    expect(await all.deliver(body, type)).toBe(kind);
  });

  test.each([
    ['JSON', '{"n":1}', 'order'],
    ['a JSON text', '"n"', 'form'],
    ['a form', 'n=1', 'form'],
    ['XML', '<n>1</n>', 'invalid: body'],
    ['XML with a byte order mark', '\uFEFF<n>1</n>', 'invalid: body'],
    ['XML after a line break', '\r\n<n>1</n>', 'invalid: body'],
    ['XML in UTF-16', Buffer.from('<n>1</n>', 'utf16le').swap16().toString(), 'invalid: body'],
  ])('distinguishes what is structured: %s', async (_, body, kind) => {
    expect(await structured.deliver(body, 'text/plain')).toBe(kind);
  });

  test('beside JSON alone is JSON or invalid', async () => {
    await using receiver = await Receiver.of({
      order: hook('application/json', open),
      feed: hook('application/xml', open),
    });
    expect(await receiver.deliver('{}', 'application/json')).toBe('order');
    expect(await receiver.deliver('<a/>', 'application/xml')).toBe('invalid: body');
    expect(await receiver.deliver('a=1', 'text/plain')).toBe('invalid: body');
  });
});

describe('schemas', () => {
  const bySchema = { 'x-identified-by-schema': true };

  test('decide between kinds that all state it, if exactly one accepts', async () => {
    await using receiver = await Receiver.of({
      a: hook('application/json', needing('a'), bySchema),
      b: hook('application/json', needing('b'), bySchema),
      known: hook(
        'application/json',
        { type: 'object', required: ['k'], properties: { k: { const: 'known' } } },
        { 'x-identified-by': { '$request.body#/k': { const: 'known' } } },
      ),
      // A form is never tried: its texts become what a schema wants.
      form: hook('application/x-www-form-urlencoded', needing('a'), bySchema),
      form2: hook('application/x-www-form-urlencoded', needing('b'), bySchema),
    });
    const json = async (value: unknown): Promise<unknown> =>
      await receiver.deliver(JSON.stringify(value), 'application/json');
    expect(await json({ a: 1 })).toBe('a by schema');
    expect(await json({ b: 1 })).toBe('b by schema');
    expect(await json({ a: 1, b: 1 })).toBe('a or b');
    expect(await json({ a: 1, b: 'unexpected' })).toBe('a by schema');
    expect(await json({ c: 1 })).toBe('invalid: schema');
    expect(await json([])).toBe('invalid: schema');
    // One of them does not state it, so that all remain.
    expect(await json({ k: 'known', a: 1 })).toBe('a or b or known');
    expect(await receiver.deliver('a=1', 'text/plain')).toBe('form or form2');
  });

  test('decide nothing without it, or where another kind does not state it', async () => {
    await using receiver = await Receiver.of({
      a: hook('application/json', needing('a'), bySchema),
      b: hook('application/json', needing('b'), bySchema),
      c: hook('application/json', needing('c')),
    });
    expect(await receiver.deliver('{"a":1}', 'application/json')).toBe('a or b or c');
  });
});

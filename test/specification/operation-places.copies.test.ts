import { describe, expect, test } from 'vitest';
import { lowerFiles } from '../contract/lower/lower-files.ts';

const responses = 'responses: { 2XX: { description: Taken. } }';
const body = (schema: string): string =>
  `requestBody: { content: { application/json: { schema: ${schema} } } }`;
const reference = `{ $ref: '#/components/schemas/Ping' }`;
const inline = `{ type: object, required: [type], properties: { type: { const: ping } } }`;
const tree = (below: string): string =>
  `{ type: object, properties: { below: { $ref: '#/components/schemas/${below}' } } }`;
const components = `components: { schemas: { Ping: ${inline}, Other: { type: object }, A: ${tree('B')}, B: ${tree('A')} } }`;

async function lowerWith(members: string): Promise<{
  readonly notifications: readonly (readonly [id: string, name: string, pointer: string])[];
  readonly codes: readonly string[];
  readonly messages: readonly string[];
}> {
  const { contract, diagnostics } = await lowerFiles({
    'openapi.yaml': `openapi: 3.1.1\ninfo: { title: Pings, version: 1.0.0 }\n${members}\n${components}\n`,
  });
  return {
    notifications: contract.notifications.map(({ id, name, pointer }) => [id, name, pointer]),
    codes: [...new Set(diagnostics.map(({ code }) => code))],
    messages: diagnostics.map(({ message }) => message),
  };
}

/** The same key under `webhooks` and `x-webhooks`, each with the members of its operation. */
const webhooks = (webhook: string, repetition: string, method = 'post'): string =>
  `webhooks: { ping: { post: { ${webhook} } } }\nx-webhooks: { ping: { ${method}: { ${repetition} } } }`;

describe('a webhook that x-webhooks repeats', () => {
  const operation = `${body(reference)}, ${responses}`;

  test.each([
    ['to the letter', operation, operation],
    ['with its schema written out', operation, `${body(inline)}, ${responses}`],
    ['with its members in another order', operation, `${responses}, ${body(reference)}`],
    ['with one operationId', `operationId: ping, ${operation}`, `operationId: ping, ${operation}`],
    [
      'with operationIds of its own',
      `operationId: ping, ${operation}`,
      `operationId: xPing, ${operation}`,
    ],
  ])('is one notification: %s', async (_, webhook, repetition) => {
    const { notifications, codes } = await lowerWith(webhooks(webhook, repetition));
    expect(notifications).toEqual([['ping', 'ping', 'openapi#/webhooks/ping/post']]);
    expect(codes).toEqual(['unstated-authentication']);
  });

  test.each([
    ['another payload', `${body(`{ $ref: '#/components/schemas/Other' }`)}, ${responses}`],
    [
      'a payload with more',
      `${body(inline.replace('const', 'minLength: 1, const'))}, ${responses}`,
    ],
    ['another security', `security: [], ${operation}`],
    ['another parameter', `parameters: [{ name: x, in: header, schema: {} }], ${operation}`],
  ])('stays a notification of its own where it has %s', async (_, repetition) => {
    const { notifications } = await lowerWith(webhooks(operation, repetition));
    expect(notifications).toHaveLength(2);
  });

  test('stays a notification of its own where it has another method', async () => {
    const { notifications } = await lowerWith(webhooks(operation, operation, 'put'));
    expect(notifications.map(([id]) => id)).toEqual(['ping', 'put ping']);
  });

  test('is reported with both places where it differs in what no delivery shows', async () => {
    const { notifications, messages } = await lowerWith(
      webhooks(operation, `tags: [a], ${operation}`),
    );
    expect(notifications).toHaveLength(2);
    expect(messages).toContainEqual(expect.stringContaining('"ping" (openapi.yaml:3)'));
  });

  test('is one where schemas are recursive', async () => {
    const { notifications } = await lowerWith(
      webhooks(
        `${body(`{ $ref: '#/components/schemas/A' }`)}, ${responses}`,
        `${body(`{ $ref: '#/components/schemas/B' }`)}, ${responses}`,
      ),
    );
    expect(notifications.map(([id]) => id)).toEqual(['ping']);
  });
});

describe('a callback that several operations have', () => {
  const callback = (schema: string, more = '', url = '$request.body#/url'): string =>
    `callbacks: { done: { '{${url}}': { post: { ${more}${body(schema)}, ${responses} } } } }`;
  const paths = (...callbacks: readonly string[]): string =>
    `paths:\n${callbacks
      .map(
        (operationCallback, index) =>
          `  /${index}: { post: { operationId: call${index}, ${responses}, ${operationCallback} } }\n`,
      )
      .join('')}`;

  test.each([
    ['written twice', [callback(reference), callback(reference)]],
    ['written twice, once with its schema', [callback(reference), callback(inline)]],
    [
      'sent to other addresses',
      [callback(reference), callback(reference, '', '$request.query.to')],
    ],
    [
      'with operationIds of its own',
      [callback(reference, 'operationId: a, '), callback(reference, 'operationId: b, ')],
    ],
  ])('is one notification: %s', async (_, callbacks) => {
    const { notifications, codes } = await lowerWith(paths(...callbacks));
    expect(notifications.map(([id, name]) => [id, name])).toEqual([['done', 'done']]);
    expect(codes).not.toContain('indistinct-notifications');
  });

  test('is distinguished from another of its name by the first operation that has it', async () => {
    const other = callback('{ $ref: "#/components/schemas/Other" }');
    const { notifications } = await lowerWith(
      paths(callback(reference), other, callback(reference), other),
    );
    expect(notifications.map(([id]) => id)).toEqual(['call0 done', 'call1 done']);
  });

  test('is the webhook of its name where both are the same', async () => {
    const { notifications } = await lowerWith(
      `webhooks: { done: { post: { ${body(reference)}, ${responses} } } }\n${paths(callback(reference))}`,
    );
    expect(notifications.map(([id]) => id)).toEqual(['done']);
  });
});

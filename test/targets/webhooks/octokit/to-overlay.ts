/** What is read of an OpenAPI document of `@octokit/openapi-webhooks`. */
export interface WebhooksDocument {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly operationId: string;
          readonly 'x-github': { readonly subcategory: string };
        };
      }
    >
  >;
}

/**
 * Says in an OpenAPI Overlay what such a document leaves to its readers' knowledge: which value of the event header
 * each webhook comes with, and how deliveries are signed. The document has the event as the first part of the
 * operationId and as the subcategory, one or both with hyphens for underscores; its header has only an example, most of
 * the time that of another webhook. What the payloads state themselves, such as `action`, is not repeated.
 * Throws an Error where the two names of an event differ.
 */
export function toOverlay({ webhooks }: WebhooksDocument): object {
  const webhooksOf = new Map<string, string[]>();
  for (const [name, { post }] of Object.entries(webhooks)) {
    const event = toEvent(post['x-github'].subcategory);
    const [first = ''] = post.operationId.split('/');
    if (toEvent(first) !== event) throw new Error(`${name} is of two events: ${first}, ${event}`);
    webhooksOf.set(event, [...(webhooksOf.get(event) ?? []), name]);
  }
  return {
    overlay: '1.0.0',
    info: { title: 'What tells the webhooks apart, and how they are signed', version: '1.0.0' },
    actions: [
      {
        target: '$',
        update: { components: { securitySchemes: { signature } } },
      },
      { target: '$.webhooks.*.post', update: { security: [{ signature: [] }] } },
      ...Array.from(webhooksOf, ([event, names]) => ({
        target: `$.webhooks[${names.map((name) => `'${name}'`).join(', ')}].post.parameters[?@.name == 'X-Github-Event']`,
        update: { example: event, schema: { const: event } },
      })),
    ],
  };
}

function toEvent(name: string): string {
  return name.replaceAll('-', '_');
}

/** docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
const signature = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Hub-Signature-256',
  'x-signature': {
    algorithm: 'hmac-sha256',
    key: { credential: 'webhookSecret', encoding: 'utf-8' },
    over: ['$request.body'],
    encoding: 'hex',
    value: 'sha256={signature}',
  },
} as const;

/** An OpenAPI document with one webhook, as the reports in this folder have it. */
export function webhookOf(
  content: object,
  {
    schemas = {},
    responses = { 200: { description: 'Done' } },
    ...operation
  }: {
    readonly schemas?: object;
    readonly responses?: object;
    readonly security?: readonly object[];
    readonly parameters?: readonly object[];
    readonly securitySchemes?: object;
  } = {},
): object {
  const { securitySchemes = {}, ...more } = operation;
  return {
    openapi: '3.1.1',
    info: { title: 'Report', version: '1.0.0' },
    webhooks: {
      event: {
        post: {
          security: [],
          ...more,
          requestBody: { required: true, content },
          responses,
        },
      },
    },
    components: { schemas, securitySchemes },
  };
}

/** An AsyncAPI document whose service sends the messages of one channel. */
export function channelOf(messages: object, schemas: object = {}): object {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Report', version: '1.0.0' },
    servers: { main: { host: 'example.com', protocol: 'https' } },
    channels: { events: { address: '/events', messages } },
    operations: { send: { action: 'send', channel: { $ref: '#/channels/events' } } },
    components: { schemas },
  };
}

/** Returns an object schema that requires all its members. */
export function objectOf(
  properties: object,
  required: readonly string[] = Object.keys(properties),
): object {
  return { type: 'object', required, properties };
}

/** Returns a reference to a schema. */
export function toSchema(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** The address of an issue or a pull request on GitHub. */
export function reported(repository: string, number: number): string {
  return `https://github.com/${repository}/issues/${number}`;
}

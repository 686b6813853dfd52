import type { JsonObject } from '../../generator/json/json.ts';
import { escaped, referred, type TextAt } from './text-at.ts';

/** One notification of an OpenAPI document with a text at every place that takes one. */
export function hostileWebhooks(at: TextAt): JsonObject {
  const kind = at('identifying member', 'kind');
  const identifyingValue = at('identifying value', 'made');
  const unique = at('member of the delivery key', 'number');
  return {
    [at('webhook key', 'thing-made')]: {
      post: {
        operationId: at('webhook operation id', 'thingMade'),
        summary: at('webhook summary', 'A thing was made.'),
        description: at('webhook description', 'And is kept.'),
        tags: [at('webhook tag', 'made')],
        'x-source': at('webhook source', '5'),
        'x-note': at('webhook note', 'Ours.'),
        'x-identified-by': { [`$request.body#/${escaped(kind)}`]: { const: identifyingValue } },
        'x-dedupe-by': [`$request.body#/${escaped(unique)}`],
        'x-invalid-examples': [
          {
            name: at('invalid example name', 'number'),
            summary: at('invalid example summary', 'A number is not a text.'),
            payload: { [kind]: identifyingValue, [unique]: 1 },
            violates: { at: `/${escaped(unique)}`, keyword: 'type' },
          },
        ],
        security: [{ signature: [] }],
        requestBody: {
          required: true,
          description: at('webhook body description', 'What was made.'),
          content: {
            'application/json': {
              schema: {
                type: 'object',
                title: at('webhook body title', 'Made'),
                required: [kind],
                properties: {
                  [kind]: { const: identifyingValue, 'x-source': '5' },
                  [unique]: {
                    type: 'string',
                    description: at('webhook property description', 'Which one.'),
                    'x-source': '5',
                  },
                },
              },
              examples: {
                [at('webhook example name', 'usual')]: {
                  summary: at('webhook example summary', 'As usual.'),
                  value: { [kind]: identifyingValue, [unique]: at('webhook example value', '1') },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'Heard.' } },
      },
    },
  };
}

/** An AsyncAPI document with a text at every place that takes one. */
export function hostileAsyncapi(at: TextAt): JsonObject {
  const parameter = at('channel parameter name', 'station');
  const canonical = at('canonical name', 'state');
  const list = at('list of a variant', 'list');
  return {
    asyncapi: '3.0.0',
    info: {
      title: at('asyncapi title', 'Told things'),
      version: '1.0.0',
      description: at('asyncapi description', 'What is sent.'),
      'x-anything': { [at('extension member', 'a')]: at('extension value', 'b') },
    },
    defaultContentType: at('default content type', 'application/json'),
    servers: {
      [at('asyncapi server name', 'main')]: {
        host: at('host', 'things.test'),
        protocol: at('protocol', 'https'),
        pathname: `/${at('pathname', 'api')}`,
        description: at('host description', 'Where it runs.'),
      },
    },
    channels: {
      [at('channel name', 'told')]: {
        address: `/${at('address', 'told')}/{${parameter}}`,
        title: at('channel title', 'Told'),
        description: at('channel description', 'What is sent.'),
        parameters: {
          [parameter]: {
            description: at('channel parameter description', 'Which.'),
            'x-source': '8',
            enum: [at('channel parameter value', 'one'), 'two'],
            default: 'two',
            examples: [at('channel parameter example', 'one')],
          },
        },
        messages: { told: { $ref: '#/components/messages/told' } },
      },
    },
    operations: {
      tell: {
        action: 'send',
        'x-source': at('asyncapi operation source', '8'),
        channel: { $ref: `#/channels/${referred(at('channel name', 'told'))}` },
        title: at('asyncapi operation title', 'Tell'),
        summary: at('asyncapi operation summary', 'Tells.'),
        description: at('asyncapi operation description', 'Tells more.'),
        bindings: { http: { method: 'POST' } },
      },
    },
    components: {
      messages: {
        told: {
          name: at('message name', 'told'),
          'x-source': at('message source', '8'),
          'x-note': at('message note', 'Ours.'),
          title: at('message title', 'Told'),
          summary: at('message summary', 'Something was sent.'),
          description: at('message description', 'To everybody.'),
          contentType: at('message content type', 'application/json'),
          tags: [{ name: at('message tag', 'news'), description: at('message tag text', 'News.') }],
          externalDocs: { url: `https://docs.test/${at('message docs url', 'told')}` },
          correlationId: {
            location: '$message.header#/id',
            description: at('correlation description', 'Which.'),
          },
          headers: {
            type: 'object',
            properties: {
              [at('message header name', 'x-told')]: {
                type: 'string',
                description: at('message header description', 'By whom.'),
                'x-source': '8',
              },
            },
          },
          payload: { $ref: '#/components/schemas/Told' },
          examples: [
            {
              name: at('message example name', 'usual'),
              summary: at('message example summary', 'As usual.'),
              payload: {
                [canonical]: at('message example value', 'x'),
                [at('message example member', 'more')]: 1,
              },
            },
          ],
        },
      },
      schemas: {
        Told: {
          type: 'object',
          description: at('payload description', 'What was sent.'),
          properties: {
            [canonical]: {
              type: 'string',
              description: at('payload property description', 'x'),
              'x-source': '8',
            },
          },
          'x-anything': at('extension value of a schema', 'x'),
          'x-variants': {
            [at('variant name', 'array')]: {
              when: { [`$request.body#/${escaped(list)}`]: { type: 'array' } },
              each: `/${escaped(list)}`,
              rename: { [at('renamed member', 'State')]: canonical },
            },
          },
        },
      },
    },
  };
}

import type { JsonObject } from '../../generator/json/json.ts';
import { hostileLink, hostilePaths, hostileServer } from './hostile-calls.ts';
import { hostileAsyncapi, hostileWebhooks } from './hostile-notifications.ts';
import { hostileSchemas } from './hostile-schemas.ts';
import type { TextAt } from './text-at.ts';

/**
 * A contract of two documents in which every text that a target reads can be chosen, each once by its place. The
 * OpenAPI document is written in the vocabulary and held to it; the AsyncAPI document is not, so that what the
 * vocabulary would refuse is read as well.
 */
export function hostileDocuments(at: TextAt): {
  readonly openapi: JsonObject;
  readonly asyncapi: JsonObject;
} {
  return { openapi: hostileOpenapi(at), asyncapi: hostileAsyncapi(at) };
}

function hostileOpenapi(at: TextAt): JsonObject {
  const tag = at('tag name', 'things');
  const key = at('security scheme name', 'key');
  const scope = at('scope name', 'read');
  return {
    openapi: '3.1.2',
    info: {
      title: at('title', 'Things'),
      summary: at('summary', 'All about things.'),
      description: at('description', 'Things and more things.'),
      version: '1.0.0',
      termsOfService: `https://things.test/${at('terms of service', 'terms')}`,
      contact: {
        name: at('contact name', 'Somebody'),
        url: `https://things.test/${at('contact url', 'contact')}`,
      },
      license: { name: at('license name', 'MIT'), identifier: at('license identifier', 'MIT') },
      'x-countersign': 1,
      'x-source-document': at('source document', 'The Manual'),
      'x-unstated': {
        [at('question id', 'which-unit')]: {
          source: at('question source', '1'),
          question: at('question', 'In which unit?'),
          remark: at('question remark', 'It is unknown.'),
          risk: { loses: 'money', because: at('reason of a risk', 'It is booked twice.') },
          choices: {
            [at('choice name', 'metres')]: at('choice meaning', 'Metres.'),
            knots: {
              value: at('choice value', 'kn'),
              meaning: at('choice long meaning', 'Knots.'),
            },
          },
        },
        'answered-question': {
          source: '2',
          question: 'When?',
          settled: at('settled answer', 'Every day.'),
        },
        'signed-text': {
          source: '3',
          question: 'What stands between?',
          choices: {
            dot: {
              value: { text: at('signed text of a choice', '.') },
              meaning: at('meaning of a signed text', 'A dot.'),
            },
            bar: { value: { text: '|' }, meaning: 'A bar.' },
          },
          assumed: 'dot',
        },
      },
    },
    externalDocs: hostileLink(at, 'external docs'),
    tags: [
      {
        name: tag,
        description: at('tag description', 'A group.'),
        externalDocs: hostileLink(at, 'tag docs'),
      },
    ],
    servers: [hostileServer(at, 'server')],
    security: [{ [key]: [] }],
    paths: hostilePaths(at),
    webhooks: hostileWebhooks(at),
    components: {
      securitySchemes: {
        [key]: {
          type: 'apiKey',
          in: 'header',
          name: at('header of a key', 'x-key'),
          description: at('security scheme description', 'A key.'),
          'x-source': at('security scheme source', '6'),
          'x-note': at('security scheme note', 'Ours.'),
        },
        consent: {
          type: 'oauth2',
          'x-source': '6',
          flows: {
            clientCredentials: {
              tokenUrl: `https://things.test/${at('token url', 'token')}`,
              scopes: { [scope]: at('scope description', 'To read.') },
            },
          },
        },
        http: { type: 'http', scheme: at('http scheme', 'basic'), 'x-source': '6' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: at('bearer format', 'JWT'),
          'x-source': '6',
        },
        identity: {
          type: 'openIdConnect',
          openIdConnectUrl: `https://things.test/${at('openid url', 'id')}`,
          'x-source': '6',
        },
        timestamp: {
          type: 'apiKey',
          in: 'header',
          name: at('timestamp header', 'x-timestamp'),
          'x-source': '6',
        },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'x-signature',
          'x-source': '6',
          'x-signature': {
            algorithm: 'hmac-sha256',
            key: {
              credential: at('signing credential', 'secret'),
              encoding: 'utf-8',
              prefix: at('key prefix', 'whsec_'),
            },
            over: [
              { text: at('signed text', 'v0:') },
              '$timestamp',
              { unstated: 'signed-text' },
              '$request.body',
            ],
            encoding: 'hex',
            value: `${at('signature value', 'v0')}={signature}`,
            separator: at('signature separator', ','),
            timestamp: {
              header: at('timestamp header', 'x-timestamp'),
              format: 'unix-seconds',
              tolerance: 300,
            },
          },
        },
      },
      schemas: hostileSchemas(at),
    },
  };
}

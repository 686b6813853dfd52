import type { Json, JsonObject } from '../../generator/json.ts';

/** Says what stands at a place: a text of the test, or `otherwise`, which is harmless and fits there. */
export type TextAt = (place: string, otherwise: string) => string;

/** A member as a JSON Pointer writes it. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A member as a reference writes it; what is no Unicode has no percent form. */
const referred = (name: string): string =>
  name.isWellFormed() ? encodeURIComponent(escaped(name)) : escaped(name);

/**
 * A contract of two documents in which every text that a target reads can be chosen, each once by its place. The
 * OpenAPI document is written in the vocabulary and held to it; the AsyncAPI document is not, so that what the
 * vocabulary would refuse is read as well.
 */
export function hostileDocuments(at: TextAt): {
  readonly openapi: JsonObject;
  readonly asyncapi: JsonObject;
} {
  return { openapi: openapiDocument(at), asyncapi: asyncapiDocument(at) };
}

function openapiDocument(at: TextAt): JsonObject {
  const tag = at('tag name', 'things');
  const server = (place: string): Json => {
    const variable = at(`${place} variable name`, `${place.replaceAll(' ', '-')}-variable`);
    const chosen = at(`${place} variable default`, 'main');
    return {
      url: `https://{${variable}}.test/${at(`${place} url`, 'api')}`,
      description: at(`${place} description`, 'Where it runs.'),
      variables: {
        [variable]: {
          default: chosen,
          enum: [chosen, at(`${place} variable enum value`, 'other')],
          description: at(`${place} variable description`, 'Which.'),
        },
      },
    };
  };
  const link = (place: string): Json => ({
    description: at(`${place} description`, 'More.'),
    url: `https://docs.test/${at(`${place} url`, 'more')}`,
  });
  const parameter = (place: string, where: string, more: JsonObject = {}): Json => ({
    name: at(`${place} name`, `x-${place.replaceAll(' ', '-')}`),
    in: where,
    description: at(`${place} description`, 'A parameter.'),
    schema: {
      type: 'string',
      title: at(`${place} schema title`, 'Title'),
      description: at(`${place} schema description`, 'Text.'),
      default: at(`${place} default`, 'one'),
    },
    examples: {
      [at(`${place} example name`, 'first')]: {
        summary: at(`${place} example summary`, 'An example.'),
        description: at(`${place} example description`, 'Of words.'),
        value: at(`${place} example value`, 'value'),
      },
    },
    'x-source': at(`${place} source`, '3.1'),
    ...more,
  });
  const pathParameter = at('path parameter name', 'id');
  const key = at('security scheme name', 'key');
  const scope = at('scope name', 'read');
  const schemaName = at('schema name', 'Thing');
  const thing = { $ref: `#/components/schemas/${referred(schemaName)}` };
  const part = at('multipart property name', 'file');
  const field = at('form property name', 'field');
  const kind = at('identifying member', 'kind');
  const known = at('identifying value', 'made');
  const unique = at('member of the delivery key', 'number');
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
          remark: at('question remark', 'Nobody knows.'),
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
    externalDocs: link('external docs'),
    tags: [
      { name: tag, description: at('tag description', 'A group.'), externalDocs: link('tag docs') },
    ],
    servers: [server('server')],
    security: [{ [key]: [] }],
    paths: {
      [`/${at('path', 'things')}/{${pathParameter}}`]: {
        summary: at('path summary', 'One thing.'),
        description: at('path description', 'A thing and its parts.'),
        servers: [server('path server')],
        parameters: [
          {
            name: pathParameter,
            in: 'path',
            required: true,
            style: 'matrix',
            schema: { type: 'string' },
            'x-source': '3',
          },
        ],
        post: {
          operationId: at('operation id', 'makeThing'),
          summary: at('operation summary', 'Makes a thing.'),
          description: at('operation description', 'And keeps it.'),
          tags: [tag],
          externalDocs: link('operation docs'),
          'x-source': [at('operation source', '3'), '4'],
          deprecated: true,
          servers: [server('operation server')],
          security: [{ [key]: [] }, { consent: [scope] }, { signature: [] }],
          parameters: [
            parameter('query', 'query'),
            parameter('header', 'header'),
            parameter('cookie', 'cookie'),
            {
              name: at('deep query name', 'filter'),
              in: 'query',
              style: 'deepObject',
              'x-source': '3',
              schema: {
                type: 'object',
                properties: {
                  [at('deep query member', 'from')]: { type: 'string', 'x-source': '3' },
                },
              },
            },
            {
              name: 'written',
              in: 'query',
              'x-source': '3',
              content: {
                [`application/json; a="${at('parameter media type', 'b')}"`]: {
                  schema: { type: 'string' },
                },
              },
            },
          ],
          requestBody: {
            description: at('request description', 'What to make.'),
            required: true,
            content: {
              'application/json': { schema: thing },
              [`application/json; a="${at('media type', 'b')}"`]: { schema: thing },
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: { [part]: { type: 'string', 'x-source': '3' } },
                },
                encoding: { [part]: { contentType: at('encoding content type', 'text/plain') } },
              },
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  properties: { [field]: { type: 'string', 'x-source': '3' } },
                },
                encoding: { [field]: { style: 'form', explode: false } },
              },
            },
          },
          responses: {
            200: {
              description: at('response description', 'Made.'),
              headers: {
                [at('response header name', 'x-answer')]: {
                  description: at('response header description', 'A header.'),
                  schema: { type: 'string', enum: [at('response header enum value', 'a')] },
                  'x-source': '3',
                },
              },
              content: {
                'application/json': {
                  schema: thing,
                  examples: {
                    [at('response example name', 'usual')]: {
                      summary: at('response example summary', 'As usual.'),
                      value: {
                        [at('property name', 'id')]: at('response example value', 'x'),
                        [at('dependent property name', 'unit')]: 'x',
                        [at('response example member', 'more')]: 'x',
                      },
                    },
                  },
                },
              },
              links: {
                [at('link name', 'next')]: {
                  operationId: at('link operation', 'makeThing'),
                  description: at('link description', 'What follows.'),
                  parameters: {
                    [at('link parameter name', 'id')]: at('link parameter', '$response.body#/id'),
                  },
                  requestBody: at('link body', '$request.body#/id'),
                },
              },
            },
            default: { description: at('failure description', 'Failed.') },
          },
          callbacks: {
            [at('callback name', 'later')]: {
              [at('callback expression', '{$request.body#/url}')]: {
                post: {
                  operationId: at('callback operation id', 'toldLater'),
                  summary: at('callback summary', 'Told later.'),
                  'x-source': '3',
                  responses: { 200: { description: at('callback response', 'Heard.') } },
                },
              },
            },
          },
        },
      },
    },
    webhooks: {
      [at('webhook key', 'thing-made')]: {
        post: {
          operationId: at('webhook operation id', 'thingMade'),
          summary: at('webhook summary', 'A thing was made.'),
          description: at('webhook description', 'And is kept.'),
          tags: [at('webhook tag', 'made')],
          'x-source': at('webhook source', '5'),
          'x-identified-by': { [`$request.body#/${escaped(kind)}`]: { const: known } },
          'x-dedupe-by': [`$request.body#/${escaped(unique)}`],
          'x-invalid-examples': [
            {
              name: at('invalid example name', 'number'),
              summary: at('invalid example summary', 'A number is no text.'),
              payload: { [kind]: known, [unique]: 1 },
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
                    [kind]: { const: known, 'x-source': '5' },
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
                    value: { [kind]: known, [unique]: at('webhook example value', '1') },
                  },
                },
              },
            },
          },
          responses: { 200: { description: 'Heard.' } },
        },
      },
    },
    components: {
      securitySchemes: {
        [key]: {
          type: 'apiKey',
          in: 'header',
          name: at('header of a key', 'x-key'),
          description: at('security scheme description', 'A key.'),
          'x-source': at('security scheme source', '6'),
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
      schemas: { [schemaName]: thingSchema(at), ...otherSchemas(at) },
    },
  };
}

function thingSchema(at: TextAt): Json {
  const required = at('property name', 'id');
  const dependent = at('dependent property name', 'unit');
  return {
    type: 'object',
    title: at('schema title', 'A thing'),
    description: at('schema description', 'What is made.'),
    $comment: at('schema comment', 'For those who read.'),
    externalDocs: { url: `https://docs.test/${at('schema docs url', 'thing')}` },
    xml: { name: at('xml name', 'thing') },
    'x-source': at('schema source', '7'),
    required: [required],
    properties: {
      [required]: {
        type: 'string',
        title: at('property title', 'Id'),
        description: at('property description', 'Its id.'),
        default: at('property default', 'none'),
        examples: [at('property example', 'a')],
        'x-source': at('property source', '7.1'),
      },
      [dependent]: { type: 'string', 'x-source': '7' },
      constant: { const: at('constant', 'c'), 'x-source': '7' },
      constantObject: {
        const: { [at('constant member', 'm')]: [at('constant item', 'i')] },
        'x-source': '7',
      },
      choice: { enum: [at('enum value of a property', 'a'), 1, null], 'x-source': '7' },
      pattern: { type: 'string', pattern: at('pattern', '^[a-z]$'), 'x-source': '7' },
      format: { type: 'string', format: at('format', 'uuid'), 'x-source': '7' },
      encoded: {
        type: 'string',
        contentEncoding: at('content encoding', 'base64'),
        contentMediaType: at('content media type', 'image/png'),
        'x-source': '7',
      },
      list: {
        type: 'array',
        'x-source': '7',
        items: { type: 'string', title: at('item title', 'Item'), description: at('item', 'One.') },
      },
      inner: {
        type: 'object',
        title: at('inner title', 'Inner'),
        'x-source': '7',
        properties: {
          [at('inner property name', 'deep')]: { type: 'integer', 'x-source': '7' },
        },
      },
      pet: { allOf: [{ $ref: '#/components/schemas/Pet' }], 'x-source': '7' },
    },
    patternProperties: { [at('pattern of properties', '^n_')]: { type: 'string' } },
    dependentRequired: { [required]: [dependent] },
    additionalProperties: { description: at('other properties', 'Others.'), title: 'Others' },
    example: { [required]: at('schema example', 'a'), [dependent]: 'b' },
  };
}

function otherSchemas(at: TextAt): JsonObject {
  const sort = at('discriminator', 'sort');
  const cat = at('discriminator value', 'cat');
  const value = at('enum value', 'one');
  return {
    Choice: {
      type: 'string',
      enum: [value, 'two'],
      default: value,
      description: at('enum description', 'A choice.'),
      'x-enum-varnames': [at('enum variable name', 'One'), 'Two'],
      'x-enum-descriptions': [at('enum value description', 'The one.'), 'The other.'],
      'x-source': '7',
    },
    Open: {
      type: 'string',
      'x-extensible-enum': [at('value of an open enum', 'a'), 'b'],
      'x-source': '7',
    },
    Pet: {
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator: { propertyName: sort, mapping: { [cat]: '#/components/schemas/Cat' } },
      'x-source': '7',
    },
    Cat: {
      type: 'object',
      'x-source': '7',
      required: [sort],
      properties: { [sort]: { const: cat, 'x-source': '7' } },
    },
    Dog: {
      type: 'object',
      'x-source': '7',
      required: [sort],
      properties: { [sort]: { const: 'dog', 'x-source': '7' } },
    },
  };
}

function asyncapiDocument(at: TextAt): JsonObject {
  const parameter = at('channel parameter name', 'station');
  const canonical = at('canonical name', 'state');
  const list = at('list of a variant', 'list');
  return {
    asyncapi: '3.0.0',
    info: {
      title: at('asyncapi title', 'Told things'),
      version: '1.0.0',
      description: at('asyncapi description', 'What is told.'),
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
        description: at('channel description', 'What is told.'),
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
          title: at('message title', 'Told'),
          summary: at('message summary', 'Something was told.'),
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
          description: at('payload description', 'What was told.'),
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

import type { Json, JsonObject } from '../../generator/json/json.ts';
import { referred, type TextAt } from './text-at.ts';

/** Returns a server that is named after its place. */
export function hostileServer(at: TextAt, place: string): Json {
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
}

/** A link to other documents. */
export function hostileLink(at: TextAt, place: string): Json {
  return {
    description: at(`${place} description`, 'More.'),
    url: `https://docs.test/${at(`${place} url`, 'more')}`,
  };
}

function hostileParameter(at: TextAt, place: string, where: string): Json {
  return {
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
    'x-note': at(`${place} note`, 'Ours.'),
  };
}

/** One call with a text at every place of a call that takes one. */
export function hostilePaths(at: TextAt): JsonObject {
  const tag = at('tag name', 'things');
  const pathParameter = at('path parameter name', 'id');
  const key = at('security scheme name', 'key');
  const scope = at('scope name', 'read');
  const schemaName = at('schema name', 'Thing');
  const thing = { $ref: `#/components/schemas/${referred(schemaName)}` };
  const part = at('multipart property name', 'file');
  const field = at('form property name', 'field');
  return {
    [`/${at('path', 'things')}/{${pathParameter}}`]: {
      summary: at('path summary', 'One thing.'),
      description: at('path description', 'A thing and its parts.'),
      servers: [hostileServer(at, 'path server')],
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
        externalDocs: hostileLink(at, 'operation docs'),
        'x-source': [at('operation source', '3'), '4'],
        'x-note': at('operation note', 'Ours.'),
        deprecated: true,
        servers: [hostileServer(at, 'operation server')],
        security: [{ [key]: [] }, { consent: [scope] }, { signature: [] }],
        parameters: [
          hostileParameter(at, 'query', 'query'),
          hostileParameter(at, 'header', 'header'),
          hostileParameter(at, 'cookie', 'cookie'),
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
  };
}

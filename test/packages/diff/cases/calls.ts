import type { Draft, Mutation } from '../parcels.ts';
import { type Case, put } from './case.ts';

const parameter = (index: number, change: (draft: Draft) => void): Mutation =>
  put((operation) => change(operation.parameters[index]));

/** The contract with a call that is not idempotent, and a ledger where a question decides about it. */
const act = (repeatable: 'true' | 'unstated' | undefined): Mutation => ({
  openapi: (d) => {
    d.paths['/act'] = {
      post: {
        operationId: 'act',
        responses: { 204: { description: 'Done.' } },
        ...(repeatable === undefined
          ? {}
          : { 'x-repeatable': repeatable === 'true' ? true : { unstated: 'repeat-act' } }),
        ...(repeatable === 'unstated' ? { 'x-unstated': { 'repeat-act': repeatAct } } : {}),
      },
    };
  },
});

const repeatAct = {
  source: '1',
  question: 'May it be repeated?',
  choices: {
    repeatable: { value: true, meaning: 'It may.' },
    once: { value: false, meaning: 'It may not.' },
  },
  assumed: 'once',
};

/** The contract with a call that returns a list, and how that goes on. */
const listed = (pagination: object | undefined): Mutation => ({
  openapi: (d) => {
    d.paths['/list'] = {
      get: {
        operationId: 'list',
        parameters: ['page', 'offset'].map((name) => ({ name, in: 'query', schema: {} })),
        responses: {
          200: {
            description: 'A page.',
            content: {
              'application/json': { schema: { type: 'array', items: { type: 'object' } } },
            },
          },
        },
        ...(pagination === undefined ? {} : { 'x-pagination': pagination }),
      },
    };
  },
});

const byPage = { items: '$response.body', page: '$request.query.page' };
const byOffset = { items: '$response.body', offset: '$request.query.offset' };

/** The contract with a server in regions, as a change of its variable makes it. */
const inRegions = (variable: Draft, url = 'https://{region}.parcels.example'): Mutation => ({
  openapi: (d) => (d.servers = [{ url, variables: { region: variable } }]),
});

const twoServers: Mutation = {
  openapi: (d) => (d.servers = [{ url: 'https://one.example' }, { url: 'https://two.example' }]),
};

const text = { type: 'string' };
const bytes = { type: 'string', format: 'binary' };

/** The contract with another media type of the body of its call, and another schema unless it is left out. */
const request = (mediaType: string, schema: Draft): Mutation =>
  put((o) => {
    const stated = schema ?? o.requestBody.content['application/json'].schema;
    o.requestBody.content = { [mediaType]: { schema: stated } };
  });

/** The contract with one media type of the answer to its call. */
const answer = (mediaType: string, schema: Draft): Mutation =>
  put((o) => (o.responses['200'].content = { [mediaType]: { schema } }));

/** Changes of calls. */
export const calls: readonly Case[] = [
  {
    code: 'operation-added',
    after: {
      openapi: (d) =>
        (d.paths['/extra'] = {
          get: { operationId: 'extra', responses: { 204: { description: '' } } },
        }),
    },
    effects: { request: 'nobody' },
  },
  {
    code: 'operation-removed',
    before: {
      openapi: (d) =>
        (d.paths['/extra'] = {
          get: { operationId: 'extra', responses: { 204: { description: '' } } },
        }),
    },
    after: {},
    effects: { request: 'both' },
  },
  {
    code: 'parameter-renamed',
    after: parameter(2, (p) => (p.name = 'X-Mode')),
    effects: { request: 'upgrade' },
  },
  {
    // The wire has no names of the parameters in a path.
    code: 'parameter-renamed',
    after: {
      openapi: (d) => {
        d.paths['/things/{key}'] = d.paths['/things/{id}'];
        delete d.paths['/things/{id}'];
        d.paths['/things/{key}'].put.parameters[0].name = 'key';
      },
    },
    effects: { request: 'upgrade' },
  },
  {
    code: 'text-type-widened',
    before: parameter(2, (p) => (p.schema = { type: 'integer' })),
    after: parameter(2, (p) => (p.schema = { type: 'string' })),
    effects: { request: 'upgrade' },
  },
  {
    code: 'text-type-narrowed',
    after: parameter(2, (p) => (p.schema = { type: 'integer' })),
    effects: { request: 'both' },
  },
  {
    code: 'operation-renamed',
    after: put((o) => (o.operationId = 'replaceThing')),
    effects: { request: 'upgrade' },
  },
  {
    code: 'method-changed',
    after: {
      openapi: (d) => {
        const item = d.paths['/things/{id}'];
        item.patch = item.put;
        delete item.put;
      },
    },
    effects: { request: 'today' },
  },
  {
    code: 'repetition-allowed',
    after: act('true'),
    before: act(undefined),
    effects: { request: 'nobody' },
    subject: 'operation act (POST /act)',
  },
  {
    code: 'repetition-allowed',
    after: act('unstated'),
    before: act(undefined),
    also: ['question-added'],
    effects: { request: 'nobody' },
  },
  {
    code: 'repetition-withdrawn',
    after: act('unstated'),
    before: act('true'),
    also: ['question-added'],
    effects: { request: 'today' },
  },
  {
    code: 'repetition-withdrawn',
    after: put((o) => (o['x-repeatable'] = false)),
    effects: { request: 'today' },
  },
  {
    code: 'repetition-withdrawn',
    after: act(undefined),
    before: act('true'),
    effects: { request: 'today' },
  },
  {
    code: 'pagination-added',
    before: listed(undefined),
    after: listed(byPage),
    effects: { request: 'nobody' },
    subject: 'operation list (GET /list)',
  },
  {
    code: 'pagination-removed',
    before: listed(byPage),
    after: listed(undefined),
    effects: { request: 'upgrade' },
  },
  {
    code: 'pagination-changed',
    before: listed(byPage),
    after: listed({ 'x-note': 'By items.', ...byOffset }),
    effects: { request: 'today' },
  },
  {
    code: 'path-changed',
    after: {
      openapi: (d) => {
        d.paths['/v2/things/{id}'] = d.paths['/things/{id}'];
        delete d.paths['/things/{id}'];
      },
    },
    effects: { request: 'today' },
  },
  {
    code: 'path-changed',
    after: {
      openapi: (d) => {
        d.paths['/things/{key}/'] = d.paths['/things/{id}'];
        delete d.paths['/things/{id}'];
        d.paths['/things/{key}/'].put.parameters[0].name = 'key';
        delete d.paths['/things/{key}/'].put.operationId;
      },
    },
    before: put((o) => delete o.operationId),
    effects: { request: 'today' },
    also: ['operation-renamed', 'parameter-renamed'],
  },
  {
    code: 'optional-parameter-added',
    after: put((o) => o.parameters.push({ name: 'q', in: 'query', schema: { type: 'string' } })),
    effects: { request: 'nobody' },
  },
  {
    code: 'required-parameter-added',
    after: put((o) =>
      o.parameters.push({ name: 'q', in: 'query', required: true, schema: { type: 'string' } }),
    ),
    effects: { request: 'both' },
    subject: 'operation putThing (PUT /things/{id}), query parameter q',
  },
  {
    code: 'parameter-removed',
    after: put((o) => o.parameters.splice(1, 1)),
    effects: { request: 'upgrade' },
  },
  {
    code: 'parameter-required',
    after: parameter(1, (p) => (p.required = true)),
    effects: { request: 'both' },
  },
  {
    code: 'parameter-optional',
    after: parameter(2, (p) => (p.required = false)),
    effects: { request: 'nobody' },
  },
  {
    code: 'parameter-serialization-changed',
    after: parameter(1, (p) => (p.explode = false)),
    effects: { request: 'today' },
  },
  {
    code: 'parameter-made-differently',
    after: parameter(3, (p) => (p['x-every-request'] = { value: 'timestamp' })),
    effects: { request: 'today' },
  },
  {
    code: 'limit-tightened',
    after: parameter(0, (p) => (p.schema.maxLength = 3)),
    effects: { request: 'both' },
    subject: 'operation putThing (PUT /things/{id}), path parameter id',
  },
  {
    code: 'request-body-added',
    before: put((o) => delete o.requestBody),
    after: {},
    effects: { request: 'nobody' },
  },
  {
    code: 'request-body-removed',
    after: put((o) => delete o.requestBody),
    effects: { request: 'upgrade' },
  },
  {
    code: 'request-body-required',
    after: put((o) => (o.requestBody.required = true)),
    effects: { request: 'both' },
  },
  {
    code: 'request-body-optional',
    before: put((o) => (o.requestBody.required = true)),
    after: {},
    effects: { request: 'nobody' },
  },
  {
    code: 'request-media-type-added',
    after: put((o) => (o.requestBody.content['text/plain'] = { schema: { type: 'string' } })),
    effects: { request: 'nobody' },
  },
  {
    code: 'request-media-type-removed',
    before: put((o) => (o.requestBody.content['text/plain'] = { schema: { type: 'string' } })),
    after: {},
    effects: { request: 'both' },
  },
  {
    code: 'request-media-type-renamed',
    after: request('application/json; charset=utf-8', undefined),
    effects: { request: 'upgrade' },
  },
  {
    code: 'request-body-bytes',
    before: request('text/csv', text),
    after: request('text/csv', bytes),
    effects: { request: 'upgrade' },
  },
  {
    code: 'request-body-decoded',
    before: request('text/csv', bytes),
    after: request('text/csv', text),
    effects: { request: 'both' },
  },
  {
    code: 'request-encoding-changed',
    before: put(
      (o) =>
        (o.requestBody.content = {
          'multipart/form-data': { schema: { $ref: './schemas/Thing.yaml' } },
        }),
    ),
    after: put(
      (o) =>
        (o.requestBody.content = {
          'multipart/form-data': {
            schema: { $ref: './schemas/Thing.yaml' },
            encoding: { sealed: { contentType: 'text/plain' } },
          },
        }),
    ),
    effects: { request: 'today' },
  },
  {
    code: 'response-added',
    after: put((o) => (o.responses['409'] = { description: 'No.' })),
    effects: { response: 'upgrade' },
  },
  {
    // Its failures had no type before, so no code depends on one.
    code: 'first-failure-added',
    before: put((o) => delete o.responses['404']),
    after: put((o) => {
      delete o.responses['404'];
      o.responses['409'] = { description: 'No.' };
    }),
    effects: { response: 'nobody' },
  },
  {
    // A range and `default` describe the status: deployed clients read it by them.
    code: 'response-added',
    before: put((o) => (o.responses['2XX'] = { description: 'Done.' })),
    after: put((o) => {
      o.responses['2XX'] = { description: 'Done.' };
      o.responses['202'] = { description: 'Accepted.' };
    }),
    effects: { response: 'upgrade' },
  },
  {
    code: 'success-response-added',
    after: put((o) => (o.responses['202'] = { description: 'Accepted.' })),
    effects: { response: 'both' },
    subject: 'operation putThing (PUT /things/{id}), response 202',
  },
  {
    code: 'success-status-changed',
    after: put((o) => {
      o.responses['204'] = { description: 'Done.' };
      delete o.responses['200'];
    }),
    effects: { response: 'both' },
    subject: 'operation putThing (PUT /things/{id})',
  },
  {
    code: 'response-removed',
    after: put((o) => delete o.responses['404']),
    effects: { response: 'upgrade' },
  },
  {
    code: 'response-header-added',
    after: put((o) => (o.responses['200'].headers.age = { schema: { type: 'integer' } })),
    effects: { response: 'nobody' },
  },
  {
    code: 'response-header-removed',
    after: put((o) => delete o.responses['200'].headers.etag),
    effects: { response: 'both' },
  },
  {
    code: 'response-header-optional',
    after: put((o) => (o.responses['200'].headers.etag.required = false)),
    effects: { response: 'both' },
  },
  {
    code: 'response-header-required',
    before: put((o) => (o.responses['200'].headers.etag.required = false)),
    after: {},
    effects: { response: 'nobody' },
  },
  {
    code: 'response-media-type-added',
    after: put((o) => (o.responses['200'].content['text/plain'] = { schema: { type: 'string' } })),
    effects: { response: 'both' },
  },
  {
    code: 'response-media-type-removed',
    before: put((o) => (o.responses['200'].content['text/plain'] = { schema: { type: 'string' } })),
    after: {},
    effects: { response: 'upgrade' },
  },
  {
    code: 'response-media-type-renamed',
    before: answer('application/json', { type: 'string' }),
    after: answer('Application/JSON; charset="UTF-8"', { type: 'string' }),
    effects: { response: 'upgrade' },
  },
  {
    code: 'response-media-type-renamed',
    before: answer('text/plain', text),
    after: answer('text/plain; charset=utf-16', text),
    effects: { response: 'upgrade' },
  },
  {
    code: 'response-media-type-renamed',
    before: answer('application/json', { type: 'string' }),
    after: answer('application/problem+json', { type: 'string' }),
    effects: { response: 'upgrade' },
    also: ['schema-renamed'],
  },
  {
    code: 'response-media-type-added',
    before: answer('text/plain', text),
    after: answer('text/csv', text),
    effects: { response: 'both' },
    also: ['response-media-type-removed'],
  },
  {
    code: 'response-body-bytes',
    before: answer('text/csv', text),
    after: answer('text/csv', bytes),
    effects: { response: 'both' },
  },
  {
    code: 'response-body-decoded',
    before: answer('text/csv', bytes),
    after: answer('text/csv', text),
    effects: { response: 'upgrade' },
  },
  {
    code: 'parameter-serialization-changed',
    before: put((o) => (o.responses['200'].headers.limits = { schema: { type: 'object' } })),
    after: put(
      (o) => (o.responses['200'].headers.limits = { explode: true, schema: { type: 'object' } }),
    ),
    effects: { response: 'today' },
  },
  {
    code: 'security-relaxed',
    after: put((o) => o.security.push({ bearer: [] })),
    effects: { request: 'nobody' },
  },
  {
    code: 'security-relaxed',
    after: put((o) => (o.security = [])),
    effects: { request: 'nobody' },
  },
  {
    code: 'security-tightened',
    after: put((o) => (o.security = [{ key: [], bearer: [] }])),
    effects: { request: 'both' },
    also: ['security-relaxed'],
  },
  {
    code: 'server-added',
    after: { openapi: (d) => d.servers.push({ url: 'https://two.example' }) },
    effects: { request: 'nobody' },
  },
  {
    code: 'server-removed',
    after: { openapi: (d) => (d.servers = [{ url: 'https://two.example' }]) },
    effects: { request: 'today' },
    also: ['server-added'],
  },
  {
    code: 'server-default-changed',
    before: inRegions({ default: 'eu' }),
    after: inRegions({ default: 'us' }),
    effects: { request: 'upgrade' },
  },
  {
    code: 'server-default-changed',
    before: twoServers,
    after: {
      openapi: (d) =>
        (d.servers = [{ url: 'https://two.example' }, { url: 'https://one.example' }]),
    },
    effects: { request: 'upgrade' },
  },
  {
    code: 'server-default-changed',
    after: put((o) => (o.servers = [{ url: 'https://two.example' }])),
    effects: { request: 'upgrade' },
    also: ['server-added'],
  },
  {
    code: 'server-variable-added',
    before: { openapi: (d) => (d.servers = [{ url: 'https://eu.parcels.example' }]) },
    after: inRegions({ default: 'eu' }),
    effects: { request: 'nobody' },
  },
  {
    code: 'server-variable-removed',
    before: inRegions({ default: 'eu' }),
    after: { openapi: (d) => (d.servers = [{ url: 'https://eu.parcels.example' }]) },
    effects: { request: 'upgrade' },
  },
  {
    code: 'server-values-extended',
    before: inRegions({ default: 'eu', enum: ['eu', 'us'] }),
    after: inRegions({ default: 'eu', enum: ['eu', 'us', 'br'] }),
    effects: { request: 'nobody' },
  },
  {
    code: 'server-values-extended',
    before: inRegions({ default: 'eu', enum: ['eu', 'us'] }),
    after: inRegions({ default: 'eu' }),
    effects: { request: 'nobody' },
  },
  {
    code: 'server-values-restricted',
    before: inRegions({ default: 'eu', enum: ['eu', 'us'] }),
    after: inRegions({ default: 'eu', enum: ['eu'] }),
    effects: { request: 'both' },
  },
  {
    code: 'server-values-restricted',
    before: inRegions({ default: 'eu' }),
    after: inRegions({ default: 'eu', enum: ['eu'] }),
    effects: { request: 'both' },
  },
  {
    code: 'version-changed',
    after: { openapi: (d) => (d.info.version = '1.1.0') },
    effects: { type: 'nobody' },
  },
  {
    code: 'title-changed',
    after: { openapi: (d) => (d.info.title = 'Packets') },
    effects: { type: 'nobody' },
  },
];

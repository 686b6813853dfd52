import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Contract, Parameter, StatedContent } from '../../../generator/contract/contract.ts';
import { describeForm } from '../../../generator/contract/form.ts';
import { alternativesOf } from '../../../generator/contract/used-schemes.ts';
import type { JsonObject } from '../../../generator/json/json.ts';
import type { JsonSchema } from '../../../generator/schema/model.ts';
import { indexSchemas } from '../../../generator/schema/references.ts';
import type { Code } from '../../../generator/targets/code.ts';
import {
  createOperationData,
  everyRequestParameters,
  styleOf,
  stylesOf,
} from '../../../generator/targets/printing/operation-data.ts';
import { buildContract } from '../contract/contract-builder.ts';
import { readOpenapi } from '../client/emit-client.ts';

/** Returns the value of code in which each name of the runtime is a text, and each call a list. */
function evaluate({ text, imports }: Code): unknown {
  const names = imports.map((name) => [name, (...values: unknown[]) => [name, ...values]] as const);
  const context = createContext(Object.fromEntries(names));
  const show = (_: string, value: unknown): unknown =>
    typeof value === 'function' ? value(0)[0] : value;
  return JSON.parse(JSON.stringify(runInContext(`(${text})`, context), show));
}

const read = (operation: JsonObject, document: JsonObject = {}): Promise<Contract> =>
  readOpenapi({
    openapi: '3.1.0',
    info: { title: 'Loans', version: '1.0.0' },
    servers: [{ url: 'https://loans.example' }],
    paths: { '/a': { post: { operationId: 'send', responses: done, ...operation } } },
    ...document,
  });

const done = { 204: { description: 'Done.' } };

async function describeOperation(operation: JsonObject, document?: JsonObject): Promise<unknown> {
  const contract = await read(operation, document);
  const [first] = contract.operations;
  return first && evaluate(createOperationData(contract)(first));
}

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

it('an operation has only what it needs', async () => {
  expect(await describeOperation({})).toEqual({
    id: 'send',
    method: 'POST',
    path: '/a',
    responses: { 204: {} },
  });
});

it('names of a contract are texts, whatever characters they have', async () => {
  const name = '"];${x}`\u2028*/';
  const properties = { [name]: { type: 'object' }, constructor: { type: 'object' } };
  const form = { schema: { type: 'object', properties, additionalProperties: false } };
  const described = await describeOperation({
    parameters: [{ name, in: 'query', schema: { type: 'string' } }],
    requestBody: { content: { 'application/x-www-form-urlencoded': form } },
  });
  expect(described).toMatchObject({
    parameters: [{ in: 'query', name, style: 'form', scalar: true, explode: true }],
    body: {
      content: {
        'application/x-www-form-urlencoded': [
          'styledForm',
          { [name]: { style: 'jsonItems' }, constructor: { style: 'jsonItems' } },
        ],
      },
    },
  });
});

it.each<[string, Pick<Parameter, 'in' | 'style' | 'mediaType'>]>([
  ['form', { in: 'query', style: 'form' }],
  ['deepObjectBrackets', { in: 'query', style: 'deepObject' }],
  ['pipeDelimited', { in: 'query', style: 'pipeDelimited' }],
  ['matrix', { in: 'path', style: 'matrix' }],
  ['cookie', { in: 'cookie', style: 'form' }],
  ['jsonPair', { in: 'query', style: 'form', mediaType: 'application/json' }],
  ['jsonPair', { in: 'cookie', style: 'form', mediaType: 'application/a+json;v=1' }],
  ['jsonValue', { in: 'path', style: 'simple', mediaType: 'application/json' }],
  ['form', { in: 'query', style: 'form', mediaType: 'text/plain' }],
  ['cookie', { in: 'cookie', style: 'form', mediaType: 'text/plain' }],
  ['simple', { in: 'header', style: 'simple', mediaType: 'text/plain' }],
])('%s serializes the parameter %j', (style, parameter) => {
  const styles = stylesOf(buildContract([]), 'brackets');
  expect(styleOf(parameter as Parameter, styles)).toBe(style);
});

it.each([
  ['deepObject', undefined],
  ['deepObject', 'indices'],
  ['deepObjectBrackets', 'brackets'],
  ['deepObjectRepeat', 'repeat'],
] as const)('%s writes nested arrays by the option %s', (deepObject, option) => {
  expect(stylesOf(buildContract([]), option).deepObject).toBe(deepObject);
});

describe('a form', () => {
  const fieldsOf = (
    properties: Readonly<Record<string, JsonSchema>>,
    encoding: JsonObject = {},
    more: JsonObject = { additionalProperties: false },
  ): object => {
    const contract = buildContract([['Form', { type: 'object', properties, ...more }]]);
    const media: StatedContent = { mediaType: 'a/b', schema: 'Form', encoding, examples: [] };
    return describeForm(media, indexSchemas(contract));
  };
  const field = { name: 'a', style: 'form', explode: true, reserved: false };

  it.each<[string, JsonSchema, JsonObject, readonly object[]]>([
    ['a scalar', { type: 'string' }, {}, []],
    ['an array of scalars', { type: 'array', items: { type: ['integer', 'null'] } }, {}, []],
    [
      'an array of anything',
      { type: 'array' },
      {},
      [{ ...field, style: 'jsonItems', explode: false }],
    ],
    ['an object', { type: 'object' }, {}, [{ ...field, style: 'jsonItems', explode: false }]],
    [
      'a content type alone',
      { type: 'object' },
      { contentType: 'text/plain' },
      [{ ...field, style: 'jsonItems', explode: false }],
    ],
    ['allowReserved', { type: 'string' }, { allowReserved: true }, [{ ...field, reserved: true }]],
    [
      'explode',
      { type: 'array', items: { type: 'string' } },
      { explode: false },
      [{ ...field, explode: false }],
    ],
    [
      'a style',
      { type: 'array' },
      { style: 'pipeDelimited' },
      [{ ...field, style: 'pipeDelimited', explode: false }],
    ],
    [
      'deepObject',
      { type: 'object' },
      { style: 'deepObject', explode: true },
      [{ ...field, style: 'deepObject' }],
    ],
    ['an unknown style', { type: 'string' }, { style: 'matrix' }, []],
  ])('describes a property with %s', (_, schema, encoding, fields) => {
    expect(fieldsOf({ a: schema }, { a: encoding })).toEqual({ fields, isOpen: false });
  });

  it('takes the encoding of a property from its own member', () => {
    const objectFields = fieldsOf({
      constructor: { type: 'string' },
      toString: { type: 'object' },
    });
    expect(objectFields).toMatchObject({ fields: [{ name: 'toString', style: 'jsonItems' }] });
  });

  it('of a schema that allows undeclared properties is open', () => {
    expect(fieldsOf({}, {}, {})).toEqual({ fields: [], isOpen: true });
  });
});

it('a multipart body has the types and headers of its parts', async () => {
  const encoding = {
    a: { contentType: 'image/png' },
    b: { contentType: 'image/*, text/plain;a=1 ,not a type' },
    c: {
      headers: {
        'Content-Type': { schema: { const: 'text/html' } },
        'X-Const': { schema: { const: 'one' } },
        'X-Must': { required: true, schema: { type: 'string' } },
        'X-May': { schema: { type: 'string' } },
      },
    },
    d: { contentType: 'image/*' },
    e: {},
  };
  const properties = Object.fromEntries(
    Object.keys(encoding).map((name) => [name, { type: 'string' }]),
  );
  const media = { schema: { type: 'object', properties }, encoding };
  expect(
    await describeOperation({
      requestBody: { required: true, content: { 'multipart/form-data': media } },
    }),
  ).toMatchObject({
    body: {
      required: true,
      content: {
        'multipart/form-data': [
          'typedMultipart',
          {
            a: { type: 'image/png' },
            b: { types: ['image/*', 'text/plain;a=1'] },
            c: { headers: { 'X-Const': 'one' }, required: ['X-Must'] },
            d: { types: ['image/*'] },
          },
        ],
      },
    },
  });
});

it('responses have a decoder for each media type, and readers of headers', async () => {
  const list = { type: 'array', items: { type: 'integer' } };
  const described = await describeOperation({
    responses: {
      200: {
        description: 'Done.',
        headers: { 'X-Ids': { schema: list }, 'X-Name': { schema: { type: 'string' } } },
        content: {
          'application/json': {},
          'text/plain': {},
          'image/png': {},
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      204: { description: 'None.', ...json({ type: 'string' }) },
    },
  });
  expect(described).toMatchObject({
    responses: {
      200: {
        'application/json': 'fromJson',
        'text/plain': 'fromText',
        'image/png': 'fromBinary',
        'text/event-stream': ['fromEvents', 'text', 'data'],
      },
      204: {},
    },
    headers: {
      200: ['readHeaders', { 'X-Ids': ['listHeader', 'numberHeader'], 'X-Name': 'textHeader' }],
    },
  });
});

describe('security', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    token: {
      type: 'oauth2',
      flows: {
        clientCredentials: { tokenUrl: 'https://loans.example/token', scopes: { read: 'Read.' } },
      },
    },
  };
  const document = { components: { securitySchemes }, security: [{ key: [] }] };

  it.each<[string, JsonObject, unknown]>([
    ['that of the contract is left out', {}, undefined],
    ['also where the operation repeats it', { security: [{ key: [] }] }, undefined],
    ['none is an empty list', { security: [] }, []],
    ['an optional one has an empty alternative', { security: [{}, { key: [] }] }, [[], ['key']]],
    [
      'scopes decide about the token',
      { security: [{ key: [], token: ['read'] }, { token: [] }] },
      [['key', { scheme: 'token', scopes: ['read'] }], ['token']],
    ],
  ])('%s', async (_, operation, security) => {
    const described = await describeOperation(operation, document);
    expect(Object(described).security).toEqual(security);
  });

  it('has no alternatives where there is none', () => {
    expect(alternativesOf(buildContract([]))).toEqual([]);
  });
});

it('parameters of every request are listed where an operation does not have all of them', async () => {
  const trace = {
    name: 'X-Trace',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    'x-every-request': 'uuid',
  };
  const contract = await read(
    { parameters: [trace] },
    {
      info: { title: 'Loans', version: '1.0.0', 'x-countersign': 1 },
      paths: {
        '/a': { post: { operationId: 'a', parameters: [trace], responses: done } },
        '/b': { get: { operationId: 'b', responses: done } },
      },
    },
  );
  expect([...everyRequestParameters(contract).keys()]).toEqual(['X-Trace']);
  const data = contract.operations
    .map((operation) => createOperationData(contract)(operation))
    .map(evaluate);
  expect(data).toMatchObject([{ id: 'a' }, { id: 'b', everyRequest: [] }]);
  expect(data[0]).not.toHaveProperty('everyRequest');
  expect(data[0]).not.toHaveProperty('parameters');
});

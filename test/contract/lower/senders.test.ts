import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { JsonObject } from '../../../generator/json/json.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { typeSchemas } from '../../../generator/targets/printing/types/types.ts';
import { readOpenapi } from '../../targets/client/emit-client.ts';
import { lowerFiles } from './lower-files.ts';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' } as const;
const readOnly = { ...text, readOnly: true } as const;
const writeOnly = { ...text, writeOnly: true } as const;

function object(properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** A document with one operation, which sends and returns the given schemas. */
function document(
  version: string,
  sent: JsonObject | undefined,
  returned: JsonObject | undefined,
  schemas: JsonObject,
): JsonObject {
  const operation = {
    operationId: 'save',
    ...(sent === undefined ? {} : { requestBody: body(sent) }),
    responses: { 200: { description: 'Ok.', ...(returned === undefined ? {} : body(returned)) } },
  };
  return {
    openapi: version,
    info: { title: 'Users', version: '1.0.0' },
    paths: { '/users': { post: operation } },
    components: { schemas },
  };
}

/** Returns the types of a contract, white space aside. */
function typesOf(contract: Contract): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(typeSchemas(contract), ([name, { text: type }]) => [
      name,
      type.replaceAll(/\s+/g, ' '),
    ]),
  );
}

const user = object({ id: readOnly, name: text, password: writeOnly });

const rows: readonly (readonly [
  name: string,
  sent: JsonObject | undefined,
  returned: JsonObject | undefined,
  schemas: JsonObject,
  types: Readonly<Record<string, string>>,
])[] = [
  [
    'a schema of both directions becomes two',
    ref('User'),
    ref('User'),
    { User: user },
    {
      User: '{ id: string; name: string; password?: string; }',
      UserRequest: '{ id?: string; name: string; password: string; }',
    },
  ],
  [
    'a schema of requests alone stays one',
    ref('User'),
    undefined,
    { User: user },
    { User: '{ id?: string; name: string; password: string; }' },
  ],
  [
    'a schema of responses alone stays one',
    undefined,
    ref('User'),
    { User: user },
    { User: '{ id: string; name: string; password?: string; }' },
  ],
  [
    'a schema that no message has is as written',
    undefined,
    undefined,
    { User: user },
    { User: '{ id: string; name: string; password: string; }' },
  ],
  [
    'a schema without required members of one direction stays one',
    ref('User'),
    ref('User'),
    { User: object({ id: readOnly, name: text }, ['name']) },
    { User: '{ id?: string; name: string; }' },
  ],
  [
    'a schema that refers to such a schema becomes two, others stay one',
    ref('Team'),
    ref('Team'),
    {
      Team: object({ users: { type: 'array', items: ref('User') }, place: ref('Place') }),
      Place: object({ city: text }),
      User: user,
    },
    {
      Team: '{ users: User[]; place: Place; }',
      TeamRequest: '{ users: UserRequest[]; place: Place; }',
      Place: '{ city: string; }',
      User: '{ id: string; name: string; password?: string; }',
      UserRequest: '{ id?: string; name: string; password: string; }',
    },
  ],
  [
    'schemas that refer to each other end',
    ref('Node'),
    ref('Node'),
    { Node: object({ id: readOnly, next: ref('Node') }, ['id']) },
    { Node: '{ id: string; next?: Node; }', NodeRequest: '{ id?: string; next?: NodeRequest; }' },
  ],
  [
    'a name that the contract has is not taken',
    ref('User'),
    ref('User'),
    { User: object({ id: readOnly }), UserRequest: object({ why: text }) },
    {
      User: '{ id: string; }',
      UserRequest_cf11: '{ id?: string; }',
      UserRequest: '{ why: string; }',
    },
  ],
  [
    'a member that is required beside the reference that declares it',
    { allOf: [ref('Base'), { type: 'object', required: ['id', 'name'] }] },
    undefined,
    { Base: object({ id: readOnly, name: text }, []) },
    {
      Base: '{ id?: string; name?: string; }',
      SaveRequest:
        'Base & { [key in keyof Base as key extends "name" ? key : never]-?: Base[key] }',
    },
  ],
  [
    'a member whose schema is marked where it is written',
    ref('User'),
    undefined,
    { User: object({ id: ref('Id') }), Id: readOnly },
    { User: '{ id?: Id; }', Id: 'string' },
  ],
  [
    'alternatives that may lose the member that distinguishes them need not exclude each other',
    undefined,
    { oneOf: [ref('Card'), ref('Account')] },
    { Card: object({ number: writeOnly }), Account: object({ iban: text }) },
    {
      Card: '{ number?: string; }',
      Account: '{ iban: string; }',
      SaveResponse200: 'Card | Account',
    },
  ],
];

describe.each(['3.0.3', '3.1.1'])('OpenAPI %s', (version) => {
  test.each(rows)('%s', async (_, sent, returned, schemas, types) => {
    const contract = await readOpenapi(document(version, sent, returned, schemas));
    expect(typesOf(contract)).toEqual(types);
  });

  test('examples in a schema can be requests or responses', async () => {
    const problemsOf = async (example: JsonObject): Promise<readonly string[]> => {
      const schemas = { User: { ...user, example } };
      const openapi = document(version, ref('User'), ref('User'), schemas);
      const { diagnostics } = await lowerFiles({ 'openapi.yaml': JSON.stringify(openapi) });
      return diagnostics.map(({ code }) => code);
    };
    expect(await problemsOf({ name: 'Ana', password: 'x' })).toEqual([]);
    expect(await problemsOf({ id: '1', name: 'Ana' })).toEqual([]);
    expect(await problemsOf({ name: 'Ana' })).toEqual(['invalid-example']);
  });

  test('a change has the effects of the direction that it affects', async () => {
    const contract = (schema: JsonObject): Promise<Contract> =>
      readOpenapi(document(version, ref('User'), ref('User'), { User: schema }));
    const rolesOf = async (base: JsonObject, head: JsonObject): Promise<readonly string[]> => {
      const pair = { base: await contract(base), head: await contract(head) };
      const roles = diffContracts(pair).flatMap(({ code, effects }) =>
        effects.map(({ role }) => `${code} ${role}`),
      );
      return roles.toSorted();
    };
    const base = object({ name: text });
    expect(await rolesOf(base, object({ name: text, id: readOnly }))).toEqual([
      'optional-member-added request',
      'required-member-added response',
    ]);
    expect(await rolesOf(base, object({ name: text, id: writeOnly }))).toEqual([
      'optional-member-added response',
      'required-member-added request',
    ]);
    expect(await rolesOf(user, { ...user, required: ['id', 'password'] })).toEqual([
      'member-optional request',
      'member-optional response',
    ]);
  });
});

const asyncapi = (action: string): string => `
asyncapi: 3.0.0
info: { title: Users, version: 1.0.0 }
channels:
  users:
    address: /users
    messages: { saved: { payload: { $ref: '#/components/schemas/User' } } }
operations:
  sendSaved: { action: ${action}, channel: { $ref: '#/channels/users' } }
components:
  schemas:
    User:
      type: object
      required: [id, password]
      properties: { id: { type: string, readOnly: true }, password: { type: string, writeOnly: true } }
`;

const fromOwner = { User: '{ id: string; password?: string; }' };
const fromClient = { User: '{ id?: string; password: string; }' };

test.each([
  ['a notification of the service', 'send', 'service', fromOwner],
  ['a message to the service', 'receive', 'service', fromClient],
  [
    "a message to the integrator, in the integrator's contract",
    'receive',
    'integrator',
    fromClient,
  ],
  ["a message of the integrator, in the integrator's contract", 'send', 'integrator', fromOwner],
] as const)('AsyncAPI: %s', async (_, action, perspective, types) => {
  const { contract } = await lowerFiles({ 'asyncapi.yaml': asyncapi(action) }, perspective);
  expect(typesOf(contract)).toEqual(types);
});

test.each([
  ['a webhook of the service', 'service', 'webhooks', fromOwner],
  ['a path of the integrator', 'integrator', 'paths', fromClient],
] as const)('OpenAPI: %s', async (_, perspective, section, types) => {
  const { id, password } = { id: readOnly, password: writeOnly };
  const openapi = {
    openapi: '3.1.1',
    info: { title: 'Users', version: '1.0.0' },
    [section]: { '/saved': { post: { requestBody: body(ref('User')), responses: {} } } },
    components: { schemas: { User: object({ id, password }) } },
  };
  const { contract } = await lowerFiles({ 'openapi.yaml': JSON.stringify(openapi) }, perspective);
  expect(typesOf(contract)).toEqual(types);
  expect(contract.notifications.map(({ payload }) => payload)).toEqual(['User']);
  expect(contract.documents.openapi?.['components']).toEqual(openapi.components);
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import type {
  DiffReport,
  LocatedContractChange,
} from '../../../packages/diff/src/report/report.ts';
import { runInProcess } from '../../cli/run-in-process.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { writeTree } from '../../output/tree.ts';

/** Runs `countersign diff` on two documents, and returns the lines of its report. */
async function report(
  base: JsonObject,
  head: JsonObject,
  ...options: readonly string[]
): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'old.json': JSON.stringify(base),
    'new.json': JSON.stringify(head),
  });
  const { out } = await runInProcess(folder, ['diff', 'old.json', 'new.json', ...options]);
  return out.split('\n').map((line) => line.trim());
}

/** Returns the changes of two documents, as data. */
async function changesOf(
  base: JsonObject,
  head: JsonObject,
): Promise<readonly LocatedContractChange[]> {
  const lines = await report(base, head, '--json');
  const { results } = JSON.parse(lines.join('\n')) as { results: readonly DiffReport[] };
  return results.flatMap(({ changes }) => changes);
}

/** Returns the title of each change of a report that has no groups, with its message. */
function entriesOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) => {
    const [, title] =
      /^((?:breaking|compatible) {2}.*) {2}\S+:\d+(?: \(before\))?$/u.exec(line) ?? [];
    return title === undefined ? [] : `${title}: ${lines[index + 1] ?? ''}`;
  });
}

function documentOf(parts: JsonObject, version = '1.0.0'): JsonObject {
  return { openapi: '3.1.1', info: { title: 'T', version }, paths: {}, ...parts };
}

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });

const objectWith = (...members: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(members.map((name) => [name, { type: 'string' }])),
});

/** Calls that have the same members. */
function calls(names: readonly string[], members: JsonObject): JsonObject {
  return Object.fromEntries(
    names.map((name) => [
      `/${name}`,
      { get: { operationId: name, responses: { 204: { description: 'Done.' } }, ...members } },
    ]),
  );
}

const five = ['a', 'b', 'c', 'd', 'e'];

function withParameter(schema: JsonObject, required = false): JsonObject {
  const parameters = [{ $ref: '#/components/parameters/Offset' }];
  const Offset = { name: 'offset', in: 'query', required, schema };
  return documentOf({ paths: calls(five, { parameters }), components: { parameters: { Offset } } });
}

function withResponse(names: readonly string[], ...members: readonly string[]): JsonObject {
  const responses = { 404: { $ref: '#/components/responses/Missing' } };
  const Missing = { description: 'There is none.', content: json(objectWith(...members)) };
  return documentOf({ paths: calls(names, { responses }), components: { responses: { Missing } } });
}

function withEnumeration(...values: readonly string[]): JsonObject {
  const content = json({ $ref: '#/components/schemas/Country' });
  return documentOf({
    paths: calls(five, { responses: { 200: { description: 'Done.', content } } }),
    components: { schemas: { Country: { type: 'string', enum: values } } },
  });
}

test('a limit of a shared parameter is one change, with the number of operations', async () => {
  const [base, head] = [
    withParameter({ type: 'integer' }),
    withParameter({ type: 'integer', minimum: 0 }),
  ];
  const lines = await report(base, head);
  expect(entriesOf(lines)).toEqual([
    'breaking  parameter Offset  limit-tightened: `minimum` was not set and is `0`.',
  ]);
  expect(lines).toContain('concerns 5 operations, first operation a (GET /a)');
  expect(await report(base, head, '--verbose')).toContain(
    'concerns 5 operations: operation a (GET /a), operation b (GET /b), operation c (GET /c), operation d (GET /d), operation e (GET /e)',
  );
});

test('a shared parameter that is required or removed is one change', async () => {
  const base = withParameter({ type: 'integer' });
  const required = await report(base, withParameter({ type: 'integer' }, true));
  expect(entriesOf(required)).toEqual([
    'breaking  parameter Offset  parameter-required: It is required now.',
  ]);
  const removed = await report(base, documentOf({ paths: calls(five, {}) }));
  expect(entriesOf(removed)).toEqual([
    'breaking  parameter Offset  parameter-removed: It was removed from 5 operations.',
  ]);
  for (const lines of [required, removed])
    expect(lines).toContain('concerns 5 operations, first operation a (GET /a)');
});

test('a shared response that changed is one change, with the number of operations', async () => {
  const lines = await report(withResponse(five, 'error', 'id'), withResponse(five, 'id'));
  expect(entriesOf(lines)).toEqual([
    'breaking  response Missing  optional-member-removed: `error` was removed.',
  ]);
  expect(lines).toContain('concerns 5 operations, first operation a (GET /a)');
});

test('values that are added to an enumeration are one change', async () => {
  const lines = await report(withEnumeration('A', 'B'), withEnumeration('A', 'C', 'B', 'D'));
  expect(entriesOf(lines)).toEqual([
    'breaking  schema Country  enum-value-added: 2 values were added: `C` and `D`.',
  ]);
  // Only callers read it, so that no receiver has to be upgraded.
  expect(lines.filter((line) => !line.startsWith('breaking for deployed')).join('\n')).not.toMatch(
    /receiver/u,
  );
  expect(lines).toContain('concerns 5 operations, first operation a (GET /a)');
});

test('members of one object that changed alike are one entry', async () => {
  const lines = await report(withResponse(five, 'a'), withResponse(five, 'a', 'b', 'c', 'd'));
  expect(entriesOf(lines)).toEqual([
    'compatible  response Missing  optional-member-added: Each of 3 members was added and is optional. They are `b`, `c`, `d`.',
  ]);
  expect(lines.join('\n')).toContain('3 compatible');
  const gone = await report(withResponse(five, 'a', 'b'), withResponse(five, 'c'));
  expect(entriesOf(gone)[0]).toBe(
    'breaking  response Missing  optional-member-removed: Each of 2 members was removed. They are `a`, `b`. In the same place, `c` was added.',
  );
});

test('another scope of many operations is one change, which names the scopes', async () => {
  const many = Array.from({ length: 40 }, (_, index) => `call${index}`);
  const requiring = (...scopes: readonly string[]): JsonObject => {
    const flow = { tokenUrl: 'https://token.example', scopes: { read: '', write: '', all: '' } };
    const OAuth2 = { type: 'oauth2', flows: { clientCredentials: flow } };
    return documentOf({
      paths: calls(many, { security: [{ OAuth2: scopes }] }),
      components: { securitySchemes: { OAuth2 } },
    });
  };
  const lines = await report(requiring('read'), requiring('all', 'write'));
  expect(entriesOf(lines)).toEqual([
    'breaking  operation call0 (GET /call0), operation call1 (GET /call1) and 38 more  security-tightened: `OAuth2` requires the scopes `all` and `write` instead of the scope `read`.',
  ]);
  expect(lines).toContain('concerns 40 operations, first operation call0 (GET /call0)');
});

test('no next version follows from a version without a number', async () => {
  const [base, head] = [['a', 'b'], ['a']].map((names) =>
    documentOf({ paths: calls(names, {}) }, 'v1'),
  );
  expect((await report(base ?? {}, head ?? {})).join('\n')).toContain(
    'The changes are major. The version v1 is no semantic version, so no next version follows from it. It is v1 now.',
  );
});

test('an operation in front renames no shared response', async () => {
  const lines = await report(withResponse(['b', 'c'], 'id'), withResponse(['a', 'b', 'c'], 'id'));
  expect(entriesOf(lines)).toEqual([
    'compatible  operation a (GET /a)  operation-added: It was added.',
  ]);
});

test('a type that loses its name to another component is renamed, and breaks code alone', async () => {
  const withSchemas = (schemas: JsonObject): JsonObject => {
    const responses = (name: string): JsonObject => ({
      200: { description: 'Done.', content: json({ $ref: `#/components/schemas/${name}` }) },
    });
    const paths = Object.keys(schemas).map((name) =>
      calls([`get${name.length}`], { responses: responses(name) }),
    );
    return documentOf({ paths: Object.assign({}, ...paths), components: { schemas } });
  };
  const item = { 'order-item': objectWith('id') };
  const lines = await report(
    withSchemas(item),
    withSchemas({ OrderItem: objectWith('sku'), ...item }),
  );
  expect(entriesOf(lines)).toEqual([
    expect.stringMatching(
      /^breaking {2}schema order-item {2}schema-renamed: Its type was `OrderItem` and is `OrderItem_[\da-f]{4}`\.$/u,
    ),
    'compatible  operation get9 (GET /get9)  operation-added: It was added.',
    'compatible  schema OrderItem  schema-added: It was added.',
  ]);
  expect(lines).toContain(
    'breaking for deployed callers: 0, for deployed receivers: 0, only for code that upgrades: 1',
  );
});

test('an inline schema that gives way to a component is compared with itself, and renamed', async () => {
  const content = json(objectWith('id'));
  const paths = calls(['a'], { responses: { 200: { description: 'Done.', content } } });
  const schemas = { AResponse200: objectWith('other') };
  const lines = await report(documentOf({ paths }), documentOf({ paths, components: { schemas } }));
  expect(lines.join('\n')).not.toMatch(/`(?:id|other)`/u);
  expect(entriesOf(lines)).toEqual([
    expect.stringMatching(
      /schema-renamed: Its type was `AResponse200` and is `AResponse200_\w{4}`\.$/u,
    ),
    'compatible  schema AResponse200  schema-added: It was added.',
  ]);
});

test('webhooks in front change no union of those that were there', async () => {
  const withWebhooks = (...types: readonly string[]): JsonObject => {
    const webhooks = types.flatMap((type) =>
      [0, 1, 2, 3, 4].map((index) => {
        const schema = {
          type: 'object',
          required: ['type'],
          properties: { type: { const: type }, [`x${index}`]: { type: 'string' } },
        };
        const post = {
          requestBody: { content: json(schema) },
          responses: { 200: { description: 'Done.' } },
        };
        return [`${type}${index}`, { post }] as const;
      }),
    );
    return documentOf({ webhooks: Object.fromEntries(webhooks) });
  };
  const out = (await report(withWebhooks('b'), withWebhooks('a', 'b'))).join('\n');
  expect(out).toContain('kind a0OrA1OrA2Or2More_');
  expect(out).not.toMatch(/\bb\d/u);
});

test('a schema for a member that senders had to send before refuses what they sent', async () => {
  const withMember = (properties: JsonObject): JsonObject => {
    const schema = { type: 'object', required: ['list'], properties };
    return documentOf({ paths: { '/a': { post: bodyOf(schema) } } });
  };
  const bodyOf = (schema: JsonObject): JsonObject => ({
    operationId: 'a',
    requestBody: { content: json(schema) },
    responses: { 204: { description: 'Done.' } },
  });
  const list = { type: 'array', items: { type: 'string' } };
  const [before, after] = [withMember({}), withMember({ list })];
  expect(entriesOf(await report(before, after))).toEqual([
    'breaking  operation a (POST /a), request body  type-narrowed: `list` was not declared, and its value could be anything. Now it is of the type `array`.',
  ]);
});

test('two kinds that get a third one are one renaming of their union', async () => {
  const withWebhooks = (...names: readonly string[]): JsonObject => {
    const schema = { type: 'object', properties: { id: { type: 'string' } } };
    const post = {
      requestBody: { content: json(schema) },
      responses: { 200: { description: 'Done.' } },
    };
    return documentOf({ webhooks: Object.fromEntries(names.map((name) => [name, { post }])) });
  };
  const lines = await report(withWebhooks('b', 'c'), withWebhooks('a', 'b', 'c'));
  const out = lines.join('\n');
  expect(out).toContain('The name was `bOrC` and is `aOrBOrC`: it has `a` now.');
  expect(out).not.toMatch(/union-(?:added|removed)/u);
});

test('the order of the examples of a notification is no change', async () => {
  const withExamples = (...names: readonly string[]): JsonObject => {
    const examples = Object.fromEntries(names.map((name) => [name, { value: { id: name } }]));
    const content = { 'application/json': { schema: objectWith('id'), examples } };
    const post = { requestBody: { content }, responses: { 200: { description: 'Done.' } } };
    return documentOf({ webhooks: { a: { post } } });
  };
  expect(await report(withExamples('x', 'y'), withExamples('y', 'x'))).toEqual(
    expect.arrayContaining(['nothing changed']),
  );
});

describe('a union that refers to another schema now', () => {
  const refer = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const closed = (...names: readonly string[]): JsonObject => ({
    ...objectWith(...names),
    required: names,
    additionalProperties: false,
  });
  const schemas = {
    Cat: closed('lives'),
    Dog: closed('barks'),
    Fish: closed('fins'),
    Colour: { type: 'string', enum: ['red'] },
    Size: { type: 'string', enum: ['big'] },
  };
  const withOwner = (owner: JsonObject, more: JsonObject = {}): JsonObject => {
    const Home = { type: 'object', properties: { owner } };
    const responses = { 200: { description: 'Done.', content: json(refer('Home')) } };
    const all = { ...schemas, ...more, Home };
    return documentOf({ paths: calls(['a'], { responses }), components: { schemas: all } });
  };
  const union = (...names: readonly string[]): JsonObject => ({ oneOf: names.map(refer) });

  test('is what changed, and not the schema', async () => {
    const old = { anyOf: [{ type: 'null' }, refer('Cat')] };
    const changes = await changesOf(withOwner(old), withOwner(union('Cat', 'Dog')));
    expect(changes.map(({ subject, message, pointer }) => [subject, message, pointer])).toEqual([
      [
        'schema Home, /owner',
        'The type was `null` or `object` and is `object`.',
        expect.stringMatching(/^openapi#\/components\/schemas\/Home\/properties\/owner/u),
      ],
      [
        'schema Home, /owner',
        'An alternative was added: `Dog`.',
        'openapi#/components/schemas/Home/properties/owner/oneOf/1',
      ],
    ]);
  });

  test('has one entry for a new schema that is a union itself', async () => {
    const New = { oneOf: [closed('a'), closed('b')] };
    const lines = await report(
      withOwner(union('Cat', 'Dog')),
      withOwner(union('Cat', 'Dog', 'New'), { New }),
    );
    expect(entriesOf(lines)).toEqual([
      'breaking  schema Home, /owner  alternative-added: An alternative was added: `New`.',
      'compatible  schema New  schema-added: It was added.',
    ]);
  });

  test('to a type of its own, is what changed', async () => {
    const lines = await report(
      withOwner(union('Cat', 'Dog')),
      withOwner(union('Cat', 'Dog', 'Colour')),
    );
    expect(entriesOf(lines)).toEqual([
      'breaking  schema Home, /owner  type-widened: The type was `object` and is `string` or `object`.',
    ]);
  });

  test('does not compare two schemas that both versions have', async () => {
    const lines = await report(withOwner(union('Cat', 'Dog')), withOwner(union('Cat', 'Fish')));
    expect(entriesOf(lines)).toEqual([
      'breaking  schema Home, /owner  alternative-added: An alternative was added: `Fish`.',
      'breaking  schema Dog  guards-removed: No call, notification or message has it any longer.',
      'breaking  schema Home, /owner  alternative-removed: An alternative was removed: `Dog`.',
    ]);
  });

  test('to values of another enumeration, is what changed', async () => {
    const values = (...alternatives: readonly JsonObject[]): JsonObject => ({
      anyOf: alternatives,
    });
    const lines = await report(
      withOwner(values(refer('Colour'), { const: 'any' })),
      withOwner(values(refer('Colour'), { const: 'any' }, refer('Size'))),
    );
    expect(entriesOf(lines)).toEqual([
      expect.stringMatching(
        /^breaking {2}schema Home, \/owner {2}(?:alternative|enum-value)-added/u,
      ),
    ]);
  });
});

test('names first an operation that a change breaks', async () => {
  const content = json({ $ref: '#/components/schemas/Country' });
  const withValues = (...values: readonly string[]): JsonObject =>
    documentOf({
      paths: {
        '/a': {
          post: {
            operationId: 'send',
            requestBody: { content },
            responses: { 204: { description: 'Done.' } },
          },
        },
        ...calls(['b', 'c'], { responses: { 200: { description: 'Done.', content } } }),
      },
      components: { schemas: { Country: { type: 'string', enum: values } } },
    });
  const lines = await report(withValues('A'), withValues('A', 'B'));
  expect(lines).toContain('concerns 3 operations, first operation b (GET /b)');
});

test('an inline item of a list that was removed has no place in the other list', async () => {
  const withParameters = (...names: readonly string[]): JsonObject => {
    const parameters = names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
    return documentOf({ paths: calls(['a'], { parameters }) });
  };
  const changes = await changesOf(withParameters('a', 'b'), withParameters('b', 'c'));
  expect(changes.map(({ code, otherSide }) => [code, otherSide])).toEqual([
    ['optional-parameter-added', undefined],
    ['parameter-removed', undefined],
  ]);
});

test('a type that came and one that went are one change', async () => {
  const withValue = (...type: readonly string[]): JsonObject => {
    const content = json({ type: 'object', properties: { value: { type } } });
    const responses = { 200: { description: 'Done.', content } };
    return documentOf({ paths: calls(['a'], { responses }) });
  };
  const lines = await report(withValue('null', 'object'), withValue('null', 'string'));
  expect(entriesOf(lines)).toEqual([
    'breaking  operation a (GET /a), response 200, /value  type-changed: The type was `null` or `object` and is `null` or `string`.',
  ]);
});

describe('what is the same on the wire', () => {
  const withTags = (parameter: JsonObject): JsonObject => {
    const parameters = [{ name: 'tags', in: 'query', ...parameter }];
    return documentOf({ paths: calls(['a'], { parameters }) });
  };
  const text = { type: 'string' };
  const list = { type: 'array', items: text };

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['`explode` of a scalar', { schema: text }, { schema: text, explode: false }, []],
    [
      '`explode` of a scalar that can be a list now',
      { schema: text },
      { schema: { anyOf: [text, list] }, explode: false },
      ['type-widened'],
    ],
    [
      '`style` of an exploded list',
      { schema: list, style: 'pipeDelimited', explode: true },
      { schema: list },
      [],
    ],
    [
      'the media type of a number',
      { schema: { type: 'number' } },
      { content: json({ type: 'number' }) },
      [],
    ],
  ])('%s is no change of the serialization', async (_, was, is, codes) => {
    const out = (await report(withTags(was), withTags(is))).join('\n');
    expect(out.match(/ {2}[a-z]+-[a-z-]+ {2}/gu)?.map((code) => code.trim()) ?? []).toEqual(codes);
  });

  test('`explode` of a list is a change, beside which a text means nothing', async () => {
    const schema = { anyOf: [text, list] };
    const out = await report(withTags({ schema }), withTags({ schema, explode: false }));
    expect(out.join('\n')).toContain('parameter-serialization-changed');
  });

  test('a final slash of a server is no change', async () => {
    const at = (url: string): JsonObject =>
      documentOf({ servers: [{ url }, { url: 'https://two.example/v1/' }] });
    const lines = await report(at('https://one.example/v1'), at('https://one.example/v1/'));
    expect(lines).toContain('nothing changed');
  });
});

test('a server is found at its own line', async () => {
  const at = (...urls: readonly string[]): JsonObject =>
    documentOf({ servers: urls.map((url) => ({ url })) });
  const changes = await changesOf(
    at('https://one.example', 'https://two.example'),
    at('https://one.example', 'https://three.example'),
  );
  expect(changes.map(({ code, pointer, side }) => [code, side, pointer])).toEqual([
    ['server-added', 'head', 'openapi#/servers/1'],
    ['server-removed', 'base', 'openapi#/servers/1'],
  ]);
});

test('a change of what both versions have has a place in both', async () => {
  const withCall = (path: string, security: readonly JsonObject[], status: number): JsonObject =>
    documentOf({
      paths: {
        [path]: {
          get: { operationId: 'a', security, responses: { [status]: { description: 'Done.' } } },
        },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'key' } } },
    });
  const changes = await changesOf(
    withCall('/old/a', [], 200),
    withCall('/new/a', [{ key: [] }], 204),
  );
  expect(changes.map(({ code, otherSide }) => [code, otherSide === undefined])).toEqual([
    ['path-changed', false],
    ['success-status-changed', false],
    ['security-tightened', false],
  ]);
});

describe('what refers to another component', () => {
  const schemas = {
    Cat: { ...objectWith('lives', 'name'), required: ['name'] },
    Dog: { type: 'object', properties: { barks: { type: 'string' }, name: { type: 'integer' } } },
  };

  const refer = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

  const withAnimal = (name: string): JsonObject => {
    const content = json({
      type: 'object',
      properties: { animal: refer(name) },
    });
    const paths = {
      ...calls(['a'], { responses: { 200: { description: 'Done.', content } } }),
      ...calls(['cat'], {
        responses: { 200: { description: 'Done.', content: json(schemas.Cat) } },
      }),
    };
    return documentOf({ paths, components: { schemas } });
  };

  test('is told with both, because neither of them has changed', async () => {
    const entries = entriesOf(await report(withAnimal('Cat'), withAnimal('Dog')));
    expect(entries).toEqual([
      'breaking  schema Dog in the place of schema Cat  member-optional: `name` is optional now.',
      'breaking  schema Dog in the place of schema Cat: /name  type-changed: The type was `string` and is `integer`.',
      'breaking  schema Cat  guards-removed: No call, notification or message has it any longer.',
      'breaking  schema Dog in the place of schema Cat  optional-member-removed: `lives` was removed. In the same place, `barks` was added.',
      'compatible  schema Dog in the place of schema Cat  optional-member-added: `barks` was added and is optional.',
    ]);
  });

  test('has guards as before if one place still has it, or if it was written in place', async () => {
    const withBoth = (schema: JsonObject, other: JsonObject): JsonObject => {
      const responses = {
        200: { description: 'Done.', content: json(schema) },
        400: { description: 'Wrong.', content: json(other) },
      };
      return documentOf({ paths: calls(['a'], { responses }), components: { schemas } });
    };
    const [cat, dog] = [refer('Cat'), refer('Dog')];
    const before = withBoth(cat, cat);
    const codesOf = async (head: JsonObject): Promise<string> =>
      (await report(before, head)).join();
    await expect(codesOf(withBoth(cat, dog))).resolves.not.toContain('guards-removed');
    await expect(codesOf(withBoth(schemas.Cat, schemas.Cat))).resolves.not.toContain('guards');
    await expect(codesOf(withBoth(dog, dog))).resolves.toContain('guards-removed');
  });

  test('in the place of what had no name, is told with the place', async () => {
    const withPart = (part: JsonObject): JsonObject => {
      const schema = { type: 'object', properties: { list: { type: 'array', items: part } } };
      const responses = { 200: { description: 'Done.', content: json(refer('List')) } };
      const all = { ...schemas, List: schema };
      return documentOf({ paths: calls(['a'], { responses }), components: { schemas: all } });
    };
    const inline = { type: 'object', properties: { name: { type: 'string' } } };
    expect(entriesOf(await report(withPart(inline), withPart(refer('Dog'))))).toContain(
      'breaking  schema Dog in the place of schema List, /list/*: /name  type-changed: The type was `string` and is `integer`.',
    );
  });

  test('is not told with both, if the component was renamed', async () => {
    const renamed = (name: string, type: string): JsonObject => {
      const content = json({ $ref: `#/components/schemas/${name}` });
      const paths = calls(['a'], { responses: { 200: { description: 'Done.', content } } });
      const schema = { type: 'object', properties: { id: { type } } };
      return documentOf({ paths, components: { schemas: { [name]: schema } } });
    };
    const out = (await report(renamed('Old', 'string'), renamed('New', 'integer'))).join('\n');
    expect(out).toContain('schema New, /id');
  });

  test('a shared part that others refer to now was not added itself', async () => {
    const missing = { 404: { $ref: '#/components/responses/Missing' } };
    const components = { responses: { Missing: { description: 'There is none.' } } };
    const withMissing = (...names: readonly string[]): JsonObject =>
      documentOf({
        paths: {
          ...calls(five, {}),
          ...calls(['z', ...names], { responses: missing }),
        },
        components,
      });
    const out = (await report(withMissing(), withMissing('a', 'b'))).join('\n');
    expect(out).toContain('It was added to 2 operations.');
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import type { Json } from '../../generator/json/json.ts';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import { load } from '../../generator/load/load.ts';
import { lowerAndCheck } from './lower-and-check.ts';

interface Checked {
  readonly contract: Contract;
  readonly warnings: readonly Diagnostic[];
  /** The notes about deliveries that several notifications match. */
  readonly notes: readonly Diagnostic[];
}

type Texts = Readonly<Record<string, string>>;

/** Lowers and checks a contract, with an overlay if there is one. */
async function check(texts: Texts, overlay?: string): Promise<Checked> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-overlay-'));
  try {
    const files = overlay === undefined ? texts : { ...texts, 'overlay.yaml': overlay };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const documents = await load(
      {
        ...('openapi.yaml' in texts ? { openapi: 'openapi.yaml' } : {}),
        ...('asyncapi.yaml' in texts ? { asyncapi: 'asyncapi.yaml' } : {}),
        ...(overlay === undefined ? {} : { overlays: ['overlay.yaml'] }),
      },
      { folder },
    );
    const { contract, diagnostics } = await lowerAndCheck(documents);
    const problems = [...documents.diagnostics, ...diagnostics];
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const warnings = problems.filter(({ code }) => code === 'indistinct-notifications');
    const notes = problems.filter(({ code }) => code === 'ambiguous-notifications');
    return { contract, warnings, notes };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const overlayIn = (help = ''): string => help.slice(help.indexOf('overlay: 1.0.0'));

/** Applies the overlay that a warning shows, as the warning shows it. Returns how kinds are recognized then. */
async function applyHelp(
  texts: Texts,
  from: 'warnings' | 'notes' = 'warnings',
): Promise<{
  readonly help: string;
  readonly kinds: Readonly<Record<string, unknown>>;
  readonly after: Checked;
}> {
  const { [from]: diagnostics } = await check(texts);
  const help = diagnostics[0]?.help ?? '';
  expect(new Set(diagnostics.map((diagnostic) => diagnostic.help)).size).toBe(1);
  // Diagnostics are shown with two more spaces before each line.
  const after = await check(texts, overlayIn(help).replaceAll(/^/gmu, '  '));
  expect(after.warnings).toEqual([]);
  const kinds = Object.fromEntries(
    after.contract.notifications.map(({ id, identifiedBy, identifiedBySchema }) => [
      id,
      identifiedBySchema ??
        identifiedBy.map((all) =>
          all.map(({ expression, schema }) => [expression.replace('$request.', ''), schema]),
        ),
    ]),
  );
  return { help, kinds, after };
}

/** The alternatives with a value; and those where none of the values is present, which the whole group then matches. */
function orNone(
  expression: string,
  value: Json,
  values: readonly Json[],
  kept: readonly Json[] = [],
): Json {
  return [
    [...kept, [expression, { const: value }]],
    [...kept, [expression, false]],
    [...kept, [expression, { not: { enum: values } }]],
  ];
}

/** Returns the names of the kinds that a delivery with none of the values can be. */
function unionsAfter({ contract }: Checked): readonly (readonly string[])[] {
  return contract.recognition.groups.filter(({ length }) => length > 1);
}

interface Webhook {
  readonly payload?: object;
  readonly header?: object;
  readonly example?: Json;
}

function webhooks(all: Readonly<Record<string, Webhook>>): Texts {
  const paths = Object.entries(all).map(([name, { payload = {}, header, example }]) => [
    name,
    {
      post: {
        parameters: header === undefined ? [] : [{ name: 'X-Event', in: 'header', ...header }],
        requestBody: {
          content: { 'application/json': { schema: payload, ...(example && { example }) } },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
  ]);
  return {
    'openapi.yaml': JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Hooks', version: '1.0.0' },
      webhooks: Object.fromEntries(paths),
    }),
  };
}

const text = { type: 'string' };

describe('the overlay that a warning shows distinguishes webhooks', () => {
  test('by the listed value that is the name of each', async () => {
    const payload = {
      type: 'object',
      properties: { data: {}, what: { enum: ['CAPTURE', 'REFUND_FAILED', 'CANCELLATION'] } },
    };
    const { help, kinds, after } = await applyHelp(
      webhooks({ capture: { payload }, refundFailed: { payload }, cancellation: { payload } }),
    );
    const values = ['CAPTURE', 'REFUND_FAILED', 'CANCELLATION'];
    expect(kinds).toEqual({
      capture: orNone('body#/what', 'CAPTURE', values),
      refundFailed: orNone('body#/what', 'REFUND_FAILED', values),
      cancellation: orNone('body#/what', 'CANCELLATION', values),
    });
    expect(unionsAfter(after)).toEqual([['capture', 'refundFailed', 'cancellation']]);
    expect(help).toContain('that the contract lists');
  });

  test('by the examples of a header that names what was sent, beside what is derived', async () => {
    const payload = {
      type: 'object',
      required: ['action'],
      properties: { action: { const: 'created' } },
    };
    const header = (example: string): Webhook => ({ payload, header: { schema: text, example } });
    const { help, kinds } = await applyHelp(
      webhooks({
        'issue-created': header('issue'),
        'star-created': header('star'),
        other: {
          payload: {
            type: 'object',
            required: ['action'],
            properties: { action: { const: 'other' } },
          },
        },
      }),
    );
    const values = ['issue', 'star'];
    const kept = [['body#/action', { const: 'created' }]];
    expect(kinds).toEqual({
      'issue-created': orNone('header.X-Event', 'issue', values, kept),
      'star-created': orNone('header.X-Event', 'star', values, kept),
      other: [[['body#/action', { const: 'other' }]]],
    });
    expect(help).toContain('check that the service sends them');
  });

  test('by a header with the same example where a member distinguishes those that have it', async () => {
    const of = (example: string, action?: string): Webhook => ({
      header: { schema: text, example },
      payload:
        action === undefined
          ? {}
          : { type: 'object', required: ['action'], properties: { action: { const: action } } },
    });
    const { kinds, after } = await applyHelp(
      webhooks({
        issueOpened: of('issue', 'opened'),
        issueClosed: of('issue', 'closed'),
        noteOpened: of('note', 'opened'),
        push: of('push'),
      }),
    );
    const values = ['issue', 'note', 'push'];
    const action = (value: string): Json => ['body#/action', { const: value }];
    expect(kinds).toMatchObject({
      issueOpened: orNone('header.X-Event', 'issue', values, [action('opened')]),
      issueClosed: orNone('header.X-Event', 'issue', values, [action('closed')]),
      noteOpened: orNone('header.X-Event', 'note', values, [action('opened')]),
      push: orNone('header.X-Event', 'push', values),
    });
    expect(after.contract.recognition.indistinct).toEqual([]);
  });

  test('by their names, where the examples of all are the same', async () => {
    const header = { header: { schema: text, example: 'issue' } };
    const { help, kinds } = await applyHelp(webhooks({ a: header, "it's": header }));
    expect(kinds).toEqual({
      a: orNone('header.X-Event', 'a', ['a', "it's"]),
      "it's": orNone('header.X-Event', "it's", ['a', "it's"]),
    });
    expect(help).toContain('replace them');
    expect(help).toMatch(
      /^Declare what .* Add this file, with the values that the service sends, to `contract\.overlays`:\n\n/u,
    );
  });

  test('which is one to take from, where a user would have to check more than ten names', async () => {
    const header = { header: { schema: text, example: 'issue' } };
    const names = Array.from({ length: 11 }, (_, index) => `event${index}`);
    const { help, kinds } = await applyHelp(
      webhooks(Object.fromEntries(names.map((name) => [name, header]))),
    );
    expect(Object.keys(kinds)).toEqual(names);
    expect(help).toMatch(
      /^Select the events that you handle with `include`, .* to take from:\n\n/u,
    );
    expect(help).not.toContain('contract.overlays');
  });

  test('by the examples of a member of a member', async () => {
    const payload = { type: 'object', properties: { meta: { properties: { eventType: text } } } };
    const of = (eventType: string): Webhook => ({
      payload,
      example: { id: eventType, meta: { eventType } },
    });
    const { kinds } = await applyHelp(webhooks({ a: of('x'), b: of('y') }));
    expect(kinds).toEqual({
      a: orNone('body#/meta/eventType', 'x', ['x', 'y']),
      b: orNone('body#/meta/eventType', 'y', ['x', 'y']),
    });
  });

  test('by their schemas, where no value can', async () => {
    const { help, kinds, after } = await applyHelp(
      webhooks({
        a: { payload: { type: 'object', required: ['x'] } },
        b: { payload: { type: 'object', required: ['y'] } },
      }),
    );
    expect(kinds).toEqual({ a: true, b: true });
    expect(help).toContain('its event says so');
    expect(after.contract.recognition.groups).toEqual([['a', 'b'], ['a'], ['b']]);
  });

  test('in several groups, in one overlay that each warning shows', async () => {
    const all = Array.from({ length: 5 }, (_, index) => {
      const payload = {
        type: 'object',
        required: ['n'],
        properties: { n: { const: index }, type: text },
      };
      return [
        [`a${index}`, { payload }],
        [`b${index}`, { payload }],
      ] as const;
    });
    const { kinds } = await applyHelp(webhooks(Object.fromEntries(all.flat())));
    expect(Object.keys(kinds)).toHaveLength(10);
  });

  test('of AsyncAPI, beside an OpenAPI document', async () => {
    const asyncapi = {
      asyncapi: '3.0.0',
      info: { title: 'Hooks', version: '1.0.0' },
      channels: {
        hooks: {
          messages: {
            first: { $ref: '#/components/messages/first' },
            second: { $ref: '#/components/messages/second' },
          },
        },
      },
      operations: { send: { action: 'send', channel: { $ref: '#/channels/hooks' } } },
      components: {
        messages: Object.fromEntries(
          ['first', 'second'].map((name) => [
            name,
            { payload: { type: 'object', properties: { kind: text } } },
          ]),
        ),
      },
    };
    const openapi = {
      openapi: '3.1.1',
      info: { title: 'Calls', version: '1.0.0' },
      paths: {},
    };
    const { kinds } = await applyHelp({
      'asyncapi.yaml': JSON.stringify(asyncapi),
      'openapi.yaml': JSON.stringify(openapi),
    });
    expect(kinds).toEqual({
      first: orNone('body#/kind', 'first', ['first', 'second']),
      second: orNone('body#/kind', 'second', ['first', 'second']),
    });
  });
});

describe('the overlay that a note shows distinguishes webhooks that one delivery can match', () => {
  const member = (required: readonly string[], example: Json): Webhook => ({
    payload: {
      type: 'object',
      required,
      properties: { action: { const: 'created' }, id: text, type: text },
    },
    example,
  });

  test('by examples', async () => {
    const { kinds, after } = await applyHelp(
      webhooks({
        a: member(['action'], { action: 'created', type: 'issue' }),
        b: member(['id'], { id: '1', type: 'star' }),
      }),
      'notes',
    );
    expect(kinds).toEqual({
      a: orNone('body#/type', 'issue', ['issue', 'star'], [['body#/action', { const: 'created' }]]),
      b: orNone('body#/type', 'star', ['issue', 'star']),
    });
    expect(unionsAfter(after)).toEqual([['a', 'b']]);
  });

  test('by the schemas of all that can remain, and not of some of them', async () => {
    const hook = (...required: readonly string[]): Webhook => ({
      payload: { type: 'object', required, properties: { state: { const: 'new' }, n: {} } },
    });
    const texts = webhooks({ a: hook('state', 'x'), b: hook('state', 'y'), c: hook('n') });
    const { warnings } = await check(texts);
    expect(warnings).toHaveLength(1);
    const after = await check(texts, overlayIn(warnings[0]?.help));
    expect(after.contract.recognition.bySchema).toEqual(['a', 'b', 'c']);
    expect(after.contract.recognition.groups.flat()).toEqual(
      expect.arrayContaining(['a', 'b', 'c']),
    );
    const alone = after.contract.recognition.groups.filter(({ length }) => length === 1);
    expect(alone).toEqual(expect.arrayContaining([['a'], ['b'], ['c']]));
    // Deliveries that several schemas accept remain ambiguous, and no overlay can change that.
    expect(after.notes.map(({ help }) => help)).toEqual(
      after.notes.map(() => expect.stringMatching(/^If the source document/u)),
    );
  });

  test('only where the warning does not show it', async () => {
    const header = { header: { schema: text } };
    const { warnings, notes } = await check(webhooks({ a: header, b: header }));
    expect(overlayIn(warnings[0]?.help)).toContain('overlay: 1.0.0');
    expect(notes.map(({ help }) => help)).toEqual([
      expect.stringMatching(/^If the source document/u),
    ]);
  });

  test('in one overlay for chains of notifications, of which not each matches each', async () => {
    const hook = (name: string, value: number): Webhook => ({
      payload: {
        type: 'object',
        required: [name],
        properties: { [name]: { const: value }, event: text },
      },
    });
    const { kinds, after } = await applyHelp(
      webhooks({ a: hook('p', 1), b: hook('q', 1), c: hook('p', 2) }),
      'notes',
    );
    expect(Object.keys(kinds)).toEqual(['a', 'b', 'c']);
    const groups = after.contract.recognition.groups;
    expect(groups).toEqual(expect.arrayContaining([['a'], ['b'], ['c']]));
  });
});

describe('no overlay is shown', () => {
  test('for messages in channels of AsyncAPI 2, which its conversion moves', async () => {
    const message = (name: string): string =>
      `{ name: ${name}, headers: { type: object, properties: { X-Event: { examples: [${name}] } } }, payload: { type: object } }`;
    const { warnings } = await check({
      'asyncapi.yaml': `asyncapi: 2.6.0
info: { title: Hooks, version: 1.0.0 }
servers: { hooks: { url: 'https://example.com', protocol: https } }
channels:
  hooks:
    subscribe:
      message: { oneOf: [${message('paid')}, ${message('gone')}] }
`,
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.help).not.toContain('overlay: 1.0.0');
  });

  const excluded = (action: string, required: string): Webhook => ({
    payload: { type: 'object', required: [required], properties: { action: { const: action } } },
  });
  const hook = { type: 'object', properties: { id: text } };

  test.each<readonly [string, Texts]>([
    ['for webhooks with the same schema', webhooks({ a: { payload: hook }, b: { payload: hook } })],
    [
      'by an identifier, whose examples differ',
      webhooks({
        a: { payload: hook, example: { id: '1' } },
        b: { payload: hook, example: { id: '2' } },
      }),
    ],
    [
      'by a name that the schemas of its member exclude',
      webhooks({
        a: { ...excluded('created', 'action'), header: { schema: text } },
        b: excluded('created', 'action'),
      }),
    ],
  ])('%s', async (_, texts) => {
    const { warnings } = await check(texts);
    expect(warnings.map(({ help }) => help)).toEqual([
      expect.stringMatching(/^Give each its own address/u),
    ]);
  });
});

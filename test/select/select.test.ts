import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.ts';
import type { SelectOptions } from '../../generator/select/select.ts';
import type { Selection } from '../../generator/select/selection.ts';
import { asyncapi, openapi } from './library.ts';
import { type Selected, selectFiles } from './select-files.ts';

interface Case {
  readonly include?: Selection;
  readonly exclude?: Selection;
  readonly operations: readonly string[];
  readonly events: readonly string[];
}

const all = ['createToken', 'listBooks', 'addBook', 'listFines'];
const announced = ['catalogued', 'lent', 'returned', 'closed'];

const cases: readonly Case[] = [
  { operations: all, events: announced },
  {
    include: { operations: ['listFines'] },
    operations: ['createToken', 'listFines'],
    events: [],
  },
  {
    include: { operations: ['list*'] },
    operations: ['createToken', 'listBooks', 'listFines'],
    events: [],
  },
  {
    include: { tags: ['books'] },
    operations: ['createToken', 'listBooks', 'addBook'],
    events: ['catalogued'],
  },
  {
    include: { tags: ['books'] },
    exclude: { tags: ['staff'] },
    operations: ['createToken', 'listBooks'],
    events: [],
  },
  {
    include: { paths: ['/readers/**'] },
    operations: ['createToken', 'listFines'],
    events: [],
  },
  {
    exclude: { paths: ['/readers/*'], events: ['catalogued'] },
    operations: all,
    events: ['lent', 'returned', 'closed'],
  },
  { include: { paths: ['/loans/**'] }, operations: [], events: ['lent', 'returned'] },
  { include: { tags: ['loans'] }, operations: [], events: ['lent'] },
  { include: { events: ['catalogued'] }, operations: [], events: ['catalogued'] },
  {
    exclude: { operations: ['addBook'] },
    operations: ['createToken', 'listBooks', 'listFines'],
    events: ['lent', 'returned', 'closed'],
  },
  {
    exclude: { events: ['returned', 'catalogued'] },
    operations: all,
    events: ['lent', 'closed'],
  },
  {
    include: { operations: ['listBooks'], events: ['catalogued'] },
    exclude: { operations: ['addBook'] },
    operations: ['createToken', 'listBooks'],
    events: [],
  },
  { exclude: { events: ['*'] }, operations: all, events: [] },
];

describe('a part of a contract', () => {
  test.for(cases)(
    'leaves $operations and $events of include $include, exclude $exclude',
    async (selection) => {
      const { contract, diagnostics } = await selectFiles({ openapi, asyncapi }, selection);
      expect(contract.operations.map(({ id }) => id)).toEqual(selection.operations);
      expect(contract.notifications.map(({ id }) => id)).toEqual(selection.events);
      expect(errorsOf(diagnostics)).toEqual([]);
    },
  );
});

describe('what nothing refers to any more', () => {
  test('vanishes with what was included, from the documents as well', async () => {
    const { contract, documents } = await selectFiles(
      { openapi, asyncapi },
      { include: { operations: ['listBooks'], events: ['closed'] } },
    );
    expect(named(contract.schemas)).toEqual(['Author', 'Book', 'Day', 'Token']);
    expect(contract.security.map(({ id }) => id)).toEqual(['client', 'bearer']);
    expect(JSON.stringify(documents.asyncapi?.root)).not.toMatch(/loans|returned|Hour/u);
    expect(JSON.stringify(contract.documents)).not.toMatch(/Fine|Money|Shelf|stamp|returned/u);
  });

  test('is what only something excluded referred to; what nothing referred to before stays', async () => {
    const { contract } = await selectFiles({ openapi }, { exclude: { operations: ['listFines'] } });
    expect(named(contract.schemas)).toEqual([
      'Author',
      'Book',
      'Catalogued',
      'Row',
      'Shelf',
      'Token',
    ]);
    expect(contract.security.map(({ id }) => id)).toEqual(['client', 'bearer', 'stamp', 'old']);
  });

  test('keeps a question that something left still waits for, where it was written', async () => {
    const { contract, documents } = await selectFiles(
      { openapi },
      { exclude: { operations: ['listFines'] } },
    );
    const [entry] = contract.unstated;
    expect(contract.unstated).toHaveLength(1);
    expect(entry).toMatchObject({ id: 'stamp-key', usedBy: [expect.stringContaining('/stamp/')] });
    const lines = openapi.split('\n');
    expect(lines[documents.locate(entry?.pointer ?? 'openapi#').line - 1]).toContain('stamp-key:');
  });

  test('takes a question along that only it waited for', async () => {
    const { contract } = await selectFiles({ openapi }, { include: { operations: ['listFines'] } });
    expect(contract.unstated).toEqual([]);
  });

  test('takes along the tags that nothing else has', async () => {
    const { documents } = await selectFiles({ openapi }, { exclude: { tags: ['books'] } });
    const { tags } = documents.openapi?.root ?? {};
    expect(tags).toEqual([
      { name: 'session' },
      { name: 'fines', description: 'What is owed.' },
      { name: 'spare' },
    ]);
    const { line, column } = documents.locate('openapi#/tags/1');
    expect(openapi.split('\n')[line - 1]?.slice(column - 1)).toMatch(/^\{ name: fines/u);
  });

  test('takes links along that lead to it', async () => {
    const { documents } = await selectFiles(
      { openapi },
      { exclude: { operations: ['listFines'] } },
    );
    expect(JSON.stringify(documents.openapi?.root)).toContain('"links":{"books"');
  });

  test('is found where it was written after others beside it went', async () => {
    const { contract, documents } = await selectFiles(
      { asyncapi },
      { exclude: { events: ['lent'] } },
    );
    const [returned] = contract.notifications;
    const lines = asyncapi.split('\n');
    expect(lines[documents.locate(returned?.pointer ?? 'asyncapi#').line - 1]).toContain(
      'returned:',
    );
    const place = documents.locate('asyncapi#/operations/onLoan/messages/0');
    expect(lines[place.line - 1]).toContain('returned:');
  });
});

describe('an entry that names nothing', () => {
  const misspelt: readonly (readonly [Selection, string, string])[] = [
    [{ operations: ['listBook'] }, 'no operation "listBook"', 'Did you mean "listBooks"?'],
    [{ tags: ['boks'] }, 'no tag "boks"', 'Did you mean "books"?'],
    [{ events: ['returnd'] }, 'no event "returnd"', 'Did you mean "returned"?'],
    [{ operations: ['lisd*'] }, 'no operation "lisd*"', 'Did you mean "list*"?'],
    [{ paths: ['/book'] }, 'no path "/book"', 'Did you mean "/books"?'],
    [{ operations: ['lent'] }, 'no operation "lent"', '"lent" names something under `events`.'],
    [
      { tags: ['zzzzzzzzzzzz'] },
      'no tag',
      'The contract has "session", "books", "staff", "fines", "loans".',
    ],
  ];

  test.for(misspelt)('%j is a warning that suggests the nearest', async ([exclude, says, help]) => {
    const { diagnostics } = await selectFiles({ openapi, asyncapi }, { exclude });
    const [only, ...furtherDiagnostics] = diagnostics.filter(
      ({ code }) => code === 'unmatched-selection',
    );
    expect(furtherDiagnostics).toEqual([]);
    expect(only).toMatchObject({ severity: 'warning', help });
    expect(only?.message).toContain(says);
    expect(only?.message).toMatch(/^`exclude\.\w+\[0\]`/u);
  });
});

describe('an entry of `include` that names nothing', () => {
  const configFile = {
    path: 'countersign.config.json',
    text: '{\n  "include": { "operations": ["listBook"], "events": ["returned"] }\n}\n',
  };

  test('is an error at its place in the configuration, and the only one', async () => {
    const include = { operations: ['listBook'] };
    const { diagnostics } = await selectFiles({ openapi, asyncapi }, { include, configFile });
    const [only, ...furtherDiagnostics] = diagnostics.filter(
      ({ severity }) => severity === 'error',
    );
    expect(furtherDiagnostics).toEqual([]);
    expect(only).toMatchObject({
      code: 'unmatched-selection',
      help: 'Did you mean "listBooks"?',
      file: 'countersign.config.json',
      line: 2,
      column: 31,
    });
  });

  test('is a warning in another revision of the contract', async () => {
    const include = { operations: ['listBook', 'listBooks'] };
    const { diagnostics } = await selectFiles({ openapi }, { include, isOtherRevision: true });
    expect(diagnostics.filter(({ code }) => code === 'unmatched-selection')).toMatchObject([
      { severity: 'warning' },
    ]);
  });
});

describe('a choice that cannot be', () => {
  test('of nothing is an error', async () => {
    const all = { paths: ['/*'], events: ['*'] };
    const { diagnostics } = await selectFiles({ openapi }, { include: all, exclude: all });
    expect(errorsOf(diagnostics)).toEqual(['nothing-selected']);
  });

  test('without the operation that issues the tokens of the rest keeps it, and says so', async () => {
    const { contract, diagnostics } = await selectFiles(
      { openapi },
      { exclude: { operations: ['createToken'] } },
    );
    expect(contract.operations.map(({ id }) => id)).toEqual(all);
    // The access token of the document is that of its calls: the webhook states nothing.
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'needed-operation',
      'unstated-authentication',
    ]);
  });
});

test('without any call leaves nothing of their security, and the operation that issues their tokens is not needed', async () => {
  const { contract, diagnostics } = await selectFiles({ openapi }, { include: { events: ['*'] } });
  expect(contract.operations).toEqual([]);
  expect(contract.defaultSecurity).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(['unstated-authentication']);
});

describe('what is wrong with a contract', () => {
  const broken = `openapi: 3.1.2
info: { title: Broken, version: 1.0.0 }
paths:
  /good:
    get:
      operationId: good
      responses: { '200': { description: Good. } }
  /bad/{id}:
    get:
      operationId: bad
      responses:
        '200':
          description: Bad.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Bad' }
components:
  schemas:
    Bad: { type: strng }
`;

  const wrong = ['invalid-schema', 'undeclared-path-parameter'];

  test('is not said of what is left out', async () => {
    const completeSelection = await selectFiles({ openapi: broken }, {});
    expect(codesOf(completeSelection.diagnostics)).toEqual(wrong);
    const part = await selectFiles({ openapi: broken }, { exclude: { operations: ['bad'] } });
    expect(part.diagnostics).toEqual([]);
  });

  test('is said of what is left', async () => {
    const { diagnostics } = await selectFiles(
      { openapi: broken },
      { exclude: { paths: ['/good'] } },
    );
    expect(codesOf(diagnostics)).toEqual(wrong);
  });
});

describe('a reference without a target', () => {
  /** A store whose orders refer to a schema and a file that the strict document does not come with. */
  const store = `openapi: 3.1.2
info: { title: Store, version: 1.0.0, x-countersign: 1 }
paths:
  /items:
    get:
      operationId: listItems
      responses: { '200': { $ref: '#/components/responses/Items' } }
  /orders:
    post:
      operationId: addOrder
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '200': { $ref: '#/components/responses/Gone' } }
  /refunds: { $ref: ./refunds.yaml }
components:
  responses:
    Items: { description: All items. }
  schemas:
    Order:
      properties:
        payer: { $ref: './payer.yaml' }
        method: { $ref: '#/components/schemas/Method' }
    Method: { $ref: '#/components/schemas/Missing' }
`;
  const places = [
    ['unresolved-reference', 13],
    ['unresolved-reference', 21],
    ['unresolved-reference', 22],
    ['unresolved-reference', 23],
  ];
  const placesOf = (diagnostics: readonly Diagnostic[]): unknown =>
    diagnostics.map(({ code, line }) => [code, line]);

  test('is an error, whose help names both ways around it', async () => {
    const { diagnostics } = await selectFiles({ openapi: store }, {});
    expect(placesOf(diagnostics)).toEqual(places.toSpliced(1, 0, ['unresolved-reference', 14]));
    for (const { severity, help } of diagnostics) {
      expect([severity, help]).toEqual([
        'error',
        expect.stringMatching(/with an overlay, or .*`exclude`/u),
      ]);
    }
  });

  test.each<[string, Partial<SelectOptions>]>([
    ['include', { include: { operations: ['listItems'] } }],
    ['exclude', { exclude: { paths: ['/orders', '/refunds'] } }],
  ])('is accepted if %s leaves out the parts that need it', async (_, options) => {
    const { diagnostics, contract } = await selectFiles({ openapi: store }, options);
    expect(diagnostics).toEqual([]);
    expect(contract.operations.map(({ id }) => id)).toEqual(['listItems']);
  });

  test('stays an error where the selection needs it', async () => {
    const { diagnostics } = await selectFiles(
      { openapi: store },
      { include: { operations: ['addOrder'] } },
    );
    expect(placesOf(diagnostics)).toEqual(places);
  });

  test('stays an error in the other document, which shares the file with it', async () => {
    const schema = './shared.yaml#/Shared';
    const files = {
      openapi: `openapi: 3.1.2
info: { title: Store, version: 1.0.0, x-countersign: 1 }
paths:
  /items: { get: { operationId: listItems, responses: { '200': { description: All. } } } }
  /orders:
    post:
      operationId: addOrder
      requestBody: { content: { application/json: { schema: { $ref: '${schema}' } } } }
      responses: { '200': { description: Added. } }
`,
      asyncapi: `asyncapi: 3.0.0
info: { title: Store, version: 1.0.0, x-countersign: 1 }
channels:
  sold: { address: /sold, messages: { sold: { payload: { $ref: '${schema}' } } } }
operations:
  onSold: { action: send, channel: { $ref: '#/channels/sold' } }
`,
    };
    const shared = { 'shared.yaml': 'Shared: { items: { $ref: ./none.yaml } }\n' };
    const exclude = { operations: ['addOrder'] };
    const half = await selectFiles(files, { exclude }, shared);
    expect(half.diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['unresolved-reference', 'shared.yaml'],
    ]);
    const both = await selectFiles(files, { exclude: { ...exclude, events: ['sold'] } }, shared);
    expect(both.diagnostics).toEqual([]);
  });
});

test('a webhook that x-webhooks repeats is selected by its one id', async () => {
  const webhook = (type: string): string =>
    `{ post: { operationId: send_${type}, responses: { '200': { description: Thanks. } }, requestBody: { content: { application/json: { schema: { required: [type], properties: { type: { const: ${type} } } } } } } } }`;
  const openapi = `openapi: 3.1.1
info: { title: Repeated, version: 1.0.0 }
webhooks: { opened: ${webhook('opened')}, closed: ${webhook('closed')} }
x-webhooks: { opened: ${webhook('opened')}, closed: ${webhook('closed')} }
`;
  const kept = await selectFiles({ openapi }, { include: { events: ['opened'] } });
  expect(kept.contract.notifications.map(({ id }) => id)).toEqual(['opened']);
  const left = await selectFiles({ openapi }, { exclude: { events: ['opened'] } });
  expect(left.contract.notifications.map(({ id }) => id)).toEqual(['closed']);
});

describe('units that hang elsewhere', () => {
  const shared = `openapi: 3.0.4
info: { title: Shared, version: 1.0.0 }
paths:
  /orders:
    post:
      operationId: order
      responses: { '202': { description: Later. } }
      callbacks:
        shipped: { $ref: '#/components/callbacks/shipped' }
  /returns:
    post:
      operationId: giveBack
      responses: { '202': { description: Later. } }
      callbacks:
        refunded:
          '{$request.body#/url}':
            post:
              requestBody:
                content: { application/json: { schema: { $ref: '#/components/schemas/Refund' } } }
              responses: { '200': { description: Thanks. } }
x-webhooks:
  closed:
    post:
      tags: [house]
      requestBody:
        content: { application/json: { schema: { type: object, properties: { until: { type: string } } } } }
      responses: { '200': { description: Thanks. } }
components:
  callbacks:
    shipped:
      '{$request.body#/url}':
        post:
          requestBody:
            content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } }
          responses: { '200': { description: Thanks. } }
  schemas:
    Parcel: { type: object, properties: { weight: { type: number } } }
    Refund: { type: object, properties: { amount: { type: number } } }
`;

  const chosen: readonly (readonly [Selection, Selection | undefined, string, string, string])[] = [
    [{ operations: ['order'] }, undefined, 'order', 'shipped', 'Parcel'],
    [{ operations: ['order'] }, { events: ['shipped'] }, 'order', '', ''],
    [{ events: ['refunded'] }, undefined, '', 'refunded', 'Refund'],
    [{ events: ['shipped', 'closed'] }, undefined, '', 'closed shipped', 'Parcel'],
    [{ tags: ['house'] }, undefined, '', 'closed', ''],
    [{ operations: ['post /returns'] }, undefined, 'giveBack', 'refunded', 'Refund'],
  ];

  test.for(chosen)(
    'are found in OpenAPI 3.0: include %j, exclude %j',
    async ([include, exclude, operations, events, schemas]) => {
      const { contract, documents } = await selectFiles({ openapi: shared }, { include, exclude });
      expect(contract.operations.map(({ id }) => id).join(' ')).toBe(operations);
      expect(
        contract.notifications
          .map(({ id }) => id)
          .toSorted()
          .join(' '),
      ).toBe(events);
      expect(named(contract.schemas).join(' ')).toBe(schemas);
      const lines = shared.split('\n');
      for (const { pointer } of contract.notifications) {
        expect(lines[documents.locate(pointer).line - 1]).toMatch(/^ +post:/u);
      }
    },
  );

  test('become one webhook if they share a path item', async () => {
    const both = shared.replace(
      "            post:\n              requestBody:\n                content: { application/json: { schema: { $ref: '#/components/schemas/Refund'",
      "            put: { responses: { '200': { description: Thanks. } } }\n$&",
    );
    const { documents } = await selectFiles(
      { openapi: both },
      { include: { events: ['refunded'] } },
    );
    const webhooks = documents.openapi?.root['x-webhooks'];
    expect(Object.keys(webhooks ?? {})).toEqual(['refunded']);
    expect(webhooks).toMatchObject({ refunded: { put: {}, post: {} } });
  });

  test('are turned round with the perspective', async () => {
    const { contract } = await selectFiles(
      { openapi: shared },
      { include: { events: ['giveBack'] }, perspective: 'integrator' },
    );
    expect(contract.operations).toEqual([]);
    expect(contract.notifications.map(({ id }) => id)).toEqual(['giveBack']);
  });
});

test('a reference into an operation that is left out is replaced by what it led to', async () => {
  const { contract, diagnostics, documents } = await selectFiles(
    {
      openapi: `openapi: 3.1.2
info: { title: Borrowed, version: 1.0.0 }
paths:
  /lender:
    get:
      operationId: lender
      responses:
        '200':
          description: Has it.
          content:
            application/json:
              schema: { type: object, properties: { of: { $ref: '#/components/schemas/Deep' } } }
  /borrower:
    get:
      operationId: borrower
      responses:
        '200':
          description: Borrows it.
          content:
            application/json:
              schema: { $ref: '#/paths/~1lender/get/responses/200/content/application~1json/schema' }
components:
  schemas:
    Deep: { type: string }
`,
    },
    { include: { operations: ['borrower'] } },
  );
  expect(diagnostics).toEqual([]);
  expect(named(contract.schemas)).toEqual(['Deep']);
  const schema = '/paths/~1borrower/get/responses/200/content/application~1json/schema';
  expect(documents.locate(`openapi#${schema}/properties/of`).line).toBe(12);
});

function named(schemas: Selected['contract']['schemas']): readonly string[] {
  return schemas
    .filter(({ origin }) => origin === 'component' || origin === 'inline')
    .map(({ name }) => name)
    .filter((name) => !/(?:Response|Payload)\d*$/u.test(name))
    .toSorted();
}

function errorsOf(diagnostics: Selected['diagnostics']): readonly string[] {
  return codesOf(diagnostics.filter(({ severity }) => severity === 'error'));
}

function codesOf(diagnostics: Selected['diagnostics']): readonly string[] {
  return diagnostics.map(({ code }) => code).toSorted();
}

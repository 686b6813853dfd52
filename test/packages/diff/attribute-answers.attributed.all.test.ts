import { expect, test } from 'vitest';
import type { ContractChange } from '../../../packages/diff/src/change.ts';
import { diffContracts } from '../../../packages/diff/src/diff.ts';
import { isDocumentationOnly } from '../../../packages/diff/src/report/levels.ts';
import { readAnswered } from './answered.ts';
import { labelForm, noteForm } from './cases/ledger.ts';
import { diffOf, type Mutation } from './parcels.ts';

test('a change by hand beside an answer is not attributed to it, and breaks as before', async () => {
  const changes = await diffOf(
    {
      ...noteForm({ settled: 'short' }),
      thing: (schema) => (schema.properties.id.maxLength = 20),
    },
    noteForm({}),
  );
  expect(changes.map(({ code, subject, answer }) => [code, subject, answer])).toEqual([
    ['limit-loosened', 'schema Thing, /id', undefined],
    ['limit-tightened', 'schema Thing, /note', 'note-form'],
    ['settled-narrowing', 'question note-form', undefined],
  ]);
  const received = changes[0]?.effects.find(({ role }) => role === 'notification');
  expect(received?.deployed).toBe('breaks');
});

test('a label that is changed by hand is not attributed to the answer about another label', async () => {
  const unlabelled: Mutation = {
    asyncapi: (d) => {
      labelForm({ settled: 'none' }).asyncapi?.(d);
      d.channels.lost.address = '/lost';
    },
  };
  const changes = await diffOf(unlabelled, labelForm({}));
  const told = changes.map(({ code, answer, effects }) => [code, answer, effects[0]?.deployed]);
  expect(told).toEqual([
    ['label-removed', 'label', 'keeps'],
    ['label-added', undefined, 'breaks'],
    ['settled-narrowing', undefined, 'keeps'],
  ]);
});

/** The actions for both documents, which share the schema. */
function ofThing(member: string, update: object): readonly object[] {
  const target = `$.components.schemas.Thing.properties.${member}`;
  return ['openapi', 'asyncapi'].map((document) => ({ target, document, update }));
}

const moved = '$.components.messages.moved';

/** What answers to open entries write that deployed receivers did not accept before, with the code of the change. */
const unexpected: readonly (readonly [what: string, code: string, actions: readonly object[]])[] = [
  [
    'a value, beside a limit of another member',
    'enum-value-added',
    [
      ...ofThing('note', { maxLength: 5 }),
      ...ofThing('state', { enum: ['paid'], 'x-enum-varnames': ['Paid'] }),
    ],
  ],
  [
    'a value, beside a limit of the same member',
    'enum-value-added',
    ofThing('state', { enum: ['paid'], 'x-enum-varnames': ['Paid'], maxLength: 5 }),
  ],
  [
    'a method that no notification has',
    'notification-method-changed',
    [{ target: '$.operations.sendMoved.bindings.http', update: { method: 'PUT' } }],
  ],
  [
    'another address',
    'label-changed',
    [{ target: '$.channels.moved', update: { address: '/gone' } }],
  ],
  [
    'another condition',
    'identification-changed',
    [
      { target: `${moved}['x-identified-by']['$request.body#/id']`, remove: true },
      { target: `${moved}['x-identified-by']`, update: { '$request.body#/note': {} } },
      { target: `${moved}.examples`, remove: true },
    ],
  ],
  [
    'another type of a header',
    'type-changed',
    [{ target: `${moved}.headers.properties['x-hint']`, update: { type: 'array' } }],
  ],
  [
    'another signature',
    'signature-changed',
    [
      {
        target: "$.components.securitySchemes.hook['x-signature']",
        update: { encoding: 'base64' },
      },
    ],
  ],
];

test.each(unexpected)('an answer with %s breaks deployed receivers', async (_, code, actions) => {
  const choices = { any: 'Any.', this: { meaning: 'This.', actions } };
  const entry = { source: '5', question: 'Which?', choices };
  const asked = (more: object): Mutation => ({
    asyncapi: (d) => (d['x-unstated'].terms = { ...entry, ...more }),
  });
  const changes = await diffOf(asked({ settled: 'this' }), asked({}));
  const change = changes.find((candidate) => candidate.code === code);
  expect([change?.answer, deployedReceivers(change)]).toEqual(['terms', 'breaks']);
});

test('another algorithm by hand beside an answer about the key breaks deployed receivers', async () => {
  const changes = await diffOf({
    asyncapi: (d) => {
      d['x-unstated']['key-encoding'].settled = 'utf-8';
      d.components.securitySchemes.hook['x-signature'].algorithm = 'hmac-sha512';
    },
  });
  const change = changes.find(({ code }) => code === 'signature-changed');
  expect(deployedReceivers(change)).toBe('breaks');
});

test('a change that two answers can cause is attributed to the one that breaks', async () => {
  const answers = (formChange: object, entryChange: object): Mutation => ({
    asyncapi: (d) => {
      noteForm(formChange).asyncapi?.(d);
      d['x-unstated'].other = {
        ...structuredClone(d['x-unstated']['note-form']),
        settled: undefined,
        ...entryChange,
      };
    },
  });
  const before = answers({}, { settled: 'long' });
  const changes = await diffOf(answers({ settled: 'short' }, { settled: 'any' }), before);
  const change = changes.find(({ code }) => code === 'limit-tightened');
  expect(change?.answer).toBe('other');
});

test('an answer that lets schemas decide is named as the cause, and deployed receivers keep working', async () => {
  const actions = [{ target: moved, update: { 'x-identified-by-schema': true } }];
  const choices = { no: 'By values alone.', yes: { meaning: 'By the schema, too.', actions } };
  const entry = { source: '5', question: 'Does the schema decide?', choices };
  const asked = (more: object): Mutation => ({
    asyncapi: (d) => (d['x-unstated'].schema = { ...entry, ...more }),
  });
  const changes = await diffOf(asked({ settled: 'yes' }), asked({}));
  const change = changes.find(({ code }) => code === 'schema-identification-changed');
  expect([change?.subject, change?.answer, deployedReceivers(change)]).toEqual([
    'notification moved',
    'schema',
    'keeps',
  ]);
  expect(change?.message).toContain('`x-identified-by-schema`');
  expect(changes.map(({ code }) => code)).not.toContain('identification-changed');
});

function deployedReceivers(change: ContractChange | undefined): string | undefined {
  return change?.effects.find(({ role }) => role === 'notification')?.deployed;
}

test('a rule beside a reference is one change', async () => {
  const inner = (more: object): Mutation => ({
    openapi: (d) =>
      (d.components.schemas.Outer = {
        properties: { inner: { allOf: [{ $ref: '#/components/schemas/Unused' }], ...more } },
      }),
  });
  const changes = await diffOf(
    inner({ description: 'Within.', not: { required: ['a'] } }),
    inner({ description: 'Within.' }),
  );
  expect(changes.map(({ code, subject }) => [code, subject])).toEqual([
    ['rule-added', 'schema Outer, /inner'],
  ]);
});

test('every answer to the ledger of this repository has a verdict and its changes', async () => {
  const open = await readAnswered(() => undefined);
  const entries = open.unstated.filter(({ choices }) => choices.length > 0);
  const codes = new Set<string>();
  // Where labels are in the URL, conditions about the body are removed, which other answers add to.
  const groups = Map.groupBy(entries, ({ id }) => id === 'label-in-url').values();
  const rounds = [...groups].flatMap((group) =>
    Array.from({ length: Math.max(...group.map(({ choices }) => choices.length)) }, (_, index) => ({
      group,
      index,
    })),
  );
  for (const { group, index } of rounds) {
    const ids = group.map(({ id }) => id);
    const settled = await readAnswered(({ id, choices }) =>
      ids.includes(id) ? (choices[index] ?? choices.at(-1))?.name : undefined,
    );
    const changes = diffContracts({ base: open, head: settled });
    for (const change of changes) {
      const { code, subject, answer, effects } = change;
      if (subject.startsWith('question ')) {
        codes.add(code);
        continue;
      }
      if (isDocumentationOnly(change)) continue;
      expect(answer, `the cause of ${code} of ${subject}`).toBeDefined();
      // While a question without an assumption is open, receivers accept every reading.
      if (open.unstated.find(({ id }) => id === answer)?.assumed !== undefined) continue;
      const broken = effects.filter(
        ({ role, deployed }) => role !== 'request' && deployed === 'breaks',
      );
      expect(broken, `${code} of ${subject}`).toEqual([]);
    }
    const back = diffContracts({ base: settled, head: open });
    const reopened = back.filter(({ code }) => code.startsWith('unsettled'));
    expect(reopened.map(({ subject }) => subject)).toEqual(ids.map((id) => `question ${id}`));
  }
  expect(codes).toContain('settled-narrowing');
  expect(codes).toContain('settled-widening');
});

import type { Draft, Mutation } from '../parcels.ts';
import { type Case, everywhere } from './case.ts';

const question = (
  change: (entry: Draft, ledger: Draft) => void,
  id = 'key-encoding',
): Mutation => ({
  asyncapi: (d) => change(d['x-unstated'][id], d['x-unstated']),
});
const open: Mutation = question((entry) => delete entry.assumed);

/** An entry about notes, whose answers change the schema that is sent, answered and notified. */
export const noteForm = (entry: Draft): Mutation => {
  const actions = (update: Draft): Draft =>
    ['openapi', 'asyncapi'].map((document) => ({
      target: '$.components.schemas.Thing.properties.note',
      document,
      update,
    }));
  const choices = {
    any: 'Of any length.',
    short: { meaning: 'Of at most five letters.', actions: actions({ maxLength: 5 }) },
    long: { meaning: 'Of at most nine letters.', actions: actions({ maxLength: 9 }) },
    free: {
      meaning: 'With any letters.',
      actions: ['openapi', 'asyncapi'].map((document) => ({
        target: '$.components.schemas.Thing.properties.note.pattern',
        document,
        remove: true,
      })),
    },
    count: { meaning: 'It is a number.', actions: actions({ type: 'integer' }) },
  };
  return {
    asyncapi: (d) =>
      (d['x-unstated']['note-form'] = { source: '3', question: 'How long?', choices, ...entry }),
  };
};

/** An entry about the label, whose answers change the channel, the operation or the message. */
export const labelForm = (entry: Draft): Mutation => ({
  asyncapi: (d) => {
    const choices = {
      same: 'As it is.',
      none: { meaning: 'None.', actions: [{ target: '$.channels.moved.address', remove: true }] },
      put: {
        meaning: 'By PUT.',
        actions: [{ target: '$.operations.sendMoved.bindings.http', update: { method: 'PUT' } }],
      },
      event: {
        meaning: 'By a header.',
        actions: [
          {
            target: "$.components.messages.moved['x-identified-by']",
            update: { '$request.header.x-event': { const: 'moved' } },
          },
        ],
      },
    };
    d['x-unstated'].label = { source: '4', question: 'Is it so labelled?', choices, ...entry };
  },
});

/** The same, where receivers accept PUT for another notification. */
const bothMethods = (entry: Draft): Mutation => ({
  asyncapi: (d) => {
    labelForm(entry).asyncapi?.(d);
    d.operations.sendLost.bindings.http.method = 'PUT';
  },
});

/** Changes of the ledger. */
export const ledger: readonly Case[] = [
  {
    code: 'question-documented',
    after: question((_, all) => (all.order = { source: '3', question: 'In which order?' })),
    effects: {},
  },
  {
    code: 'question-withdrawn',
    after: question((_, all) => delete all.retries),
    effects: {},
  },
  {
    code: 'question-added',
    before: {
      asyncapi: (d) => {
        delete d['x-unstated']['key-encoding'];
        d.components.securitySchemes.hook['x-signature'].key.encoding = 'utf-8';
      },
    },
    after: {},
    effects: { notification: 'nobody' },
    also: ['signature-changed'],
  },
  {
    code: 'question-added-open',
    before: {
      asyncapi: (d) => {
        delete d['x-unstated']['key-encoding'];
        d.components.securitySchemes.hook['x-signature'].key.encoding = 'utf-8';
      },
    },
    after: open,
    effects: { notification: 'upgrade' },
    also: ['signature-changed'],
  },
  {
    code: 'question-removed',
    after: {
      asyncapi: (d) => {
        delete d['x-unstated']['key-encoding'];
        d.components.securitySchemes.hook['x-signature'].key.encoding = 'utf-8';
      },
    },
    effects: { notification: 'upgrade' },
    also: ['signature-changed'],
  },
  {
    code: 'question-reworded',
    after: question((entry) => (entry.question = 'In which encoding is the key?')),
    effects: { notification: 'nobody' },
  },
  {
    code: 'settled-as-assumed',
    after: question((entry) => (entry.settled = 'utf-8')),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'settled-differently',
    after: question((entry) => (entry.settled = 'hex')),
    effects: { notification: 'both' },
  },
  {
    code: 'settled-open',
    before: open,
    after: question((entry) => {
      delete entry.assumed;
      entry.settled = 'hex';
    }),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'settled-documented',
    after: question((entry) => (entry.settled = 'Three times.'), 'retries'),
    effects: {},
  },
  {
    code: 'settled-anew',
    before: question((entry) => (entry.settled = 'hex')),
    after: question((entry) => (entry.settled = 'base64')),
    effects: { notification: 'today' },
    also: ['signature-changed'],
  },
  {
    code: 'unsettled',
    before: question((entry) => (entry.settled = 'utf-8')),
    after: {},
    effects: { notification: 'upgrade' },
  },
  {
    code: 'unsettled-documented',
    before: question((entry) => (entry.settled = 'Three times.'), 'retries'),
    after: {},
    effects: {},
  },
  {
    code: 'unsettled-documented',
    before: noteForm({ settled: 'any' }),
    after: noteForm({}),
    effects: {},
  },
  {
    code: 'settled-documented',
    before: noteForm({}),
    after: noteForm({ settled: 'any' }),
    effects: {},
  },
  {
    code: 'settled-narrowing',
    before: noteForm({}),
    after: noteForm({ settled: 'short' }),
    effects: everywhere('both', 'nobody'),
    also: ['limit-tightened'],
  },
  {
    code: 'settled-narrowing',
    before: noteForm({ assumed: 'any' }),
    after: noteForm({ settled: 'short', assumed: 'any' }),
    effects: everywhere('both', 'nobody'),
    also: ['limit-tightened'],
  },
  {
    code: 'settled-widening',
    before: noteForm({ assumed: 'any' }),
    after: noteForm({ settled: 'count', assumed: 'any' }),
    effects: everywhere('both', 'both'),
    also: ['type-changed'],
  },
  {
    code: 'settled-widening',
    before: noteForm({}),
    after: noteForm({ settled: 'count' }),
    effects: everywhere('both', 'both'),
    also: ['type-changed'],
  },
  {
    code: 'settled-widening',
    before: noteForm({}),
    after: noteForm({ settled: 'free' }),
    effects: everywhere('nobody', 'both'),
    also: ['rule-removed'],
  },
  {
    code: 'unsettled-widening',
    before: noteForm({ settled: 'short' }),
    after: noteForm({}),
    effects: everywhere('nobody', 'today'),
    also: ['limit-loosened'],
  },
  {
    code: 'settled-anew',
    before: noteForm({ settled: 'long' }),
    after: noteForm({ settled: 'short' }),
    effects: everywhere('today', 'today'),
    also: ['limit-tightened'],
  },
  {
    code: 'settled-narrowing',
    before: labelForm({}),
    after: labelForm({ settled: 'none' }),
    effects: { notification: 'nobody' },
    also: ['label-removed'],
  },
  {
    code: 'unsettled-widening',
    before: labelForm({ settled: 'none' }),
    after: labelForm({}),
    effects: { notification: 'today' },
    also: ['label-added'],
  },
  {
    code: 'settled-widening',
    before: labelForm({}),
    after: labelForm({ settled: 'put' }),
    effects: { notification: 'today' },
    also: ['notification-method-changed'],
  },
  {
    code: 'settled-narrowing',
    before: bothMethods({}),
    after: bothMethods({ settled: 'put' }),
    effects: { notification: 'nobody' },
    also: ['notification-method-changed'],
  },
  {
    code: 'settled-narrowing',
    before: labelForm({}),
    after: labelForm({ settled: 'event' }),
    effects: { notification: 'nobody' },
    also: ['identification-changed'],
  },
  {
    code: 'assumption-changed',
    after: question((entry) => (entry.assumed = 'hex')),
    effects: { notification: 'upgrade' },
  },
  { code: 'assumption-added', before: open, after: {}, effects: { notification: 'nobody' } },
  { code: 'assumption-withdrawn', after: open, effects: { notification: 'upgrade' } },
  {
    code: 'choice-added',
    before: question((entry) => delete entry.choices.base64),
    after: {},
    effects: { notification: 'nobody' },
  },
  {
    code: 'choice-removed',
    after: question((entry) => delete entry.choices.base64),
    effects: { notification: 'upgrade' },
  },
  {
    code: 'choice-changed',
    after: question((entry) => (entry.choices.base64 = { value: 'hex', meaning: 'In Base64.' })),
    effects: { notification: 'upgrade' },
  },
];

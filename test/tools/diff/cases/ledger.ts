import type { Draft, Mutation } from '../parcels.ts';
import type { Case } from './case.ts';

const question = (
  change: (entry: Draft, ledger: Draft) => void,
  id = 'key-encoding',
): Mutation => ({
  asyncapi: (d) => change(d['x-unstated'][id], d['x-unstated']),
});
const open: Mutation = question((entry) => delete entry.assumed);

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

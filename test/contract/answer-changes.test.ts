import { expect, test } from 'vitest';
import { describeChanges } from '../../generator/contract/answer-changes.ts';
import type { Unstated } from '../../generator/contract/contract.ts';
import type { Pointer } from '../../generator/json/pointer.ts';

function entry(changes: Partial<Unstated>): Unstated {
  return {
    kind: 'unstated',
    pointer: 'openapi#/info/x-unstated/who-pays',
    source: [],
    id: 'who-pays',
    optionName: 'whoPays',
    question: 'Who pays?',
    choices: [],
    usedBy: [],
    answers: [],
    affects: [],
    ...changes,
  };
}

test.each<[places: readonly Pointer[], changes: readonly string[]]>([
  [['openapi#/components/schemas/Order'], ['schema Order']],
  [['openapi#/components/schemas/Order/required'], ['schema Order']],
  [
    [
      'openapi#/components/schemas/Order',
      'openapi#/components/schemas/It~1em',
      'openapi#/components/schemas/Order',
    ],
    ['schemas Order, It/em'],
  ],
  [['openapi#/components/schemas/Order/properties/total/x-variants'], ['member Order.total']],
  [
    ['openapi#/components/schemas/Order/allOf/1/properties/lines/items/properties/sum/maximum'],
    ['member Order.lines.sum'],
  ],
  [['asyncapi#/components/messages/paid/x-identified-by/0'], ['identification of message paid']],
  [
    ['asyncapi#/components/messages/paid/title', 'asyncapi#/channels/paid/address'],
    ['message paid', 'label of channel paid'],
  ],
  [['openapi#/webhooks/paid/post/deprecated'], ['webhook paid']],
  [
    ['asyncapi#/channels/a/address', 'asyncapi#/channels/b/parameters'],
    ['labels of channels a, b'],
  ],
  [['asyncapi#/channels/paid/title'], ['channel paid']],
  [
    ['asyncapi#/operations/sendPaid/bindings', 'asyncapi#/operations/a/bindings'],
    ['bindings of operations sendPaid, a'],
  ],
  [['openapi#/paths/~1orders~1{id}/post'], ['operation POST /orders/{id}']],
  [
    ['openapi#/components/securitySchemes/key/in', 'openapi#/components/parameters/Id'],
    ['security scheme key', 'parameter Id'],
  ],
  [['asyncapi#/components/x-conditions/isPaid/1'], ['condition isPaid']],
  [
    ['openapi#/info/version', 'openapi#'],
    ['info', 'document'],
  ],
])('names what %j changes', (affects, words) => {
  expect(describeChanges(entry({ affects }))).toEqual(words);
});

test('names no more than ten parts of one sort', () => {
  const pathsOf = (length: number): readonly Pointer[] =>
    Array.from({ length }, (_, index): Pointer => `openapi#/paths/~1${index}/get`);
  expect(describeChanges(entry({ affects: pathsOf(2) }))).toEqual(['operations GET /0, GET /1']);
  expect(describeChanges(entry({ affects: pathsOf(11) }))).toEqual(['operations']);
});

test('names the option of an entry that is used, and the places of its settled answer', () => {
  const pointer = 'openapi#/components/securitySchemes/a~1b/x-access-token/value';
  expect(describeChanges(entry({ usedBy: [pointer] }))).toEqual(['option whoPays']);
  expect(describeChanges(entry({ answers: [pointer] }))).toEqual(['security scheme a/b']);
});

test('an answer that no action writes changes the contract by hand, unless it is only documentation', () => {
  expect(describeChanges(entry({}))).toEqual(['the contract, by hand']);
  expect(describeChanges(entry({ documentation: true }))).toEqual([]);
  expect(describeChanges(entry({ settled: 'We pay.' }))).toEqual([]);
});

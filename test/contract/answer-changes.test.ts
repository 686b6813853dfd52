import { expect, test } from 'vitest';
import { describeChanges } from '../../generator/contract/answer-changes.ts';
import type { Unstated } from '../../generator/contract/contract.ts';

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

test.each<[paths: readonly string[], changes: readonly string[]]>([
  [[], []],
  [['$.components.schemas.Order'], ['schema Order']],
  [["$['components']['schemas'].Order['required']"], ['schema Order']],
  [
    ['$.components.schemas.Order', '$.components.schemas["It\\"em"]', '$.components.schemas.Order'],
    ['schemas Order, It"em'],
  ],
  [['$.components.schemas[*]', '$.components.schemas.Order'], ['schemas']],
  [['$.components.schemas[*].properties.id'], ['schemas']],
  [["$.components.schemas.Order.properties.total['x-variants']"], ['member Order.total']],
  [
    ['$.components.schemas.Order.allOf[1].properties.lines.items.properties.sum.maximum'],
    ['member Order.lines.sum'],
  ],
  [["$.components.messages.paid['x-identified-by'][0]"], ['identification of message paid']],
  [
    ["$.components.messages[?@['x-a'] == 'b]' && @.name].title", '$.channels.paid.address'],
    ['messages', 'label of channel paid'],
  ],
  [["$.components.messages[?@.name != 'paid']['x-identified-by']"], ['identification of messages']],
  [['$.webhooks.paid.post.deprecated'], ['webhook paid']],
  [['$.channels[*].address', '$.channels.*.parameters'], ['labels of channels']],
  [['$.channels.paid.title'], ['channel paid']],
  [
    ['$.operations.sendPaid.bindings', '$.operations.a.bindings'],
    ['bindings of operations sendPaid, a'],
  ],
  [["$.paths['/orders/{id}'].post"], ['operation POST /orders/{id}']],
  [['$.paths[*][?@.operationId]'], ['operations']],
  [
    ['$.components.securitySchemes.key.in', '$.components.parameters.Id'],
    ['security scheme key', 'parameter Id'],
  ],
  [
    ['$.info.version', '$..description'],
    ['info', 'document'],
  ],
])('names what %j changes', (changes, words) => {
  const choices = [{ name: 'we', value: 'we', meaning: 'We pay.', changes }];
  expect(describeChanges(entry({ choices }))).toEqual(words);
});

test('names the option of an entry that is used, and the places of its settled answer', () => {
  const pointer = 'openapi#/components/securitySchemes/a~1b/x-access-token/value';
  expect(describeChanges(entry({ usedBy: [pointer] }))).toEqual(['option whoPays']);
  expect(describeChanges(entry({ answers: [pointer] }))).toEqual(['security scheme a/b']);
});

test('reads a path of hostile length in linear time', () => {
  const changes = [`$${'['.repeat(200_000)}`, `$.a${'[?@'.repeat(100_000)}`];
  const choices = [{ name: 'we', value: 'we', meaning: 'We pay.', changes }];
  expect(describeChanges(entry({ choices }))).toEqual(['document', 'a']);
});

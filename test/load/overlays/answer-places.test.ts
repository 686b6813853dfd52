import { expect, test } from 'vitest';
import type { JsonObject } from '../../../generator/json/json.ts';
import type { DocumentName } from '../../../generator/json/pointer.ts';
import { selectAnswerPlaces } from '../../../generator/load/overlays/answer-places.ts';

const action = (target: string, more: object = {}): object => ({ target, update: {}, ...more });

function choice(...actions: readonly object[]): JsonObject {
  return { choices: { one: { meaning: 'One.', actions } } } as unknown as JsonObject;
}

const messages = { a: { title: 'A' }, 'b/c': { title: 'B' } };

test.each<[string, JsonObject, readonly string[] | undefined]>([
  ['selects nothing without actions', { choices: { one: 'One.' } }, []],
  [
    'selects a place once',
    choice(action('$.messages.a'), action('$.messages.a')),
    ['openapi#/messages/a'],
  ],
  [
    'escapes names, and follows wildcards and filters',
    choice(action('$.messages[*].title'), action("$.messages[?@.title == 'B']")),
    ['openapi#/messages/a/title', 'openapi#/messages/b~1c/title', 'openapi#/messages/b~1c'],
  ],
  [
    'selects in the document that the action names',
    choice(action('$.info', { document: 'asyncapi' })),
    ['asyncapi#/info'],
  ],
  ['ignores a target that is not a JSONPath', choice(action('messages.a')), []],
  ['leaves out a settled entry', { ...choice(action('$.messages.a')), settled: 'one' }, undefined],
])('%s', async (_, entry, places) => {
  const documents = new Map<DocumentName, JsonObject>([
    ['openapi', { 'x-unstated': { question: entry }, messages }],
    ['asyncapi', { info: {} }],
  ]);
  expect((await selectAnswerPlaces(documents)).get('question')).toEqual(places);
});

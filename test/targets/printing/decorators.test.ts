import { expect, test } from 'vitest';
import { planDecorators } from '../../../generator/targets/printing/decorators.ts';
import { eventsOf } from '../../../generator/contract/events.ts';
import { readTrade } from '../webhooks/trade.ts';
import { readNames } from '../frameworks/names.ts';

async function decoratorsOf(names: readonly string[]): Promise<readonly string[]> {
  return planDecorators(eventsOf(await readNames(names))).map(({ name }) => name);
}

test.each([
  ['the words of a kind', ['parcel moved', 'lost'], ['OnParcelMoved', 'OnLost']],
  ['a name of its own', ['otherwise', 'invalid'], ['OnOtherwise2', 'OnInvalid2']],
  ['the type of an event', ['on parcel', 'parcel event'], ['OnOnParcel', 'OnParcelEvent2']],
])('a decorator is called after %s, and like nothing else', async (_, names, expected) => {
  expect(await decoratorsOf(names)).toEqual(expected);
});

test('what can be of several kinds has a decorator too', async () => {
  const decorators = planDecorators(eventsOf(await readTrade()));
  expect(decorators.map(({ handler, name }) => [handler, name])).toContainEqual([
    'createdOrReplaced',
    'OnCreatedOrReplaced',
  ]);
  expect(new Set(decorators.map(({ name }) => name)).size).toBe(decorators.length);
});

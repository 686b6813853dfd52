import { expect, test } from 'vitest';
import { subjectsOf } from '../../../generator/tools/explain/subjects.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';

test('a message that no receiver takes is found by its name, its operation and its address', async () => {
  const { contract } = await lowerFiles({
    'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Doors, version: 1.0.0 }
channels:
  doors:
    address: doors.opened
    bindings: { kafka: {} }
    messages: { opened: { headers: { type: object }, payload: { type: object } } }
operations: { tell: { action: send, channel: { $ref: '#/channels/doors' } } }
`,
  });
  const messages = subjectsOf(contract).filter(({ kind }) => kind === 'message');
  expect(messages).toMatchObject([
    {
      name: 'opened (kafka)',
      identifier: 'opened',
      aliases: ['tell', 'doors.opened'],
      statedBy: expect.arrayContaining(contract.schemas.map(({ pointer }) => pointer)) as unknown,
    },
  ]);
});

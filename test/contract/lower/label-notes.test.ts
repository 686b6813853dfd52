import { expect, it } from 'vitest';
import { load } from '../../../generator/load/load.ts';
import { lowerAndCheck } from '../../rules/lower-and-check.ts';
import { lowerFiles } from './lower-files.ts';

const openapi =
  'openapi: 3.1.2\ninfo: { title: Parcels, version: 1.0.0, x-countersign: 1 }\npaths: {}\n';

/** A notification with a label; `entries` are those of the ledger. */
const asyncapi = (entries: string): string => `asyncapi: 3.0.0
info:
  title: Parcels
  version: 1.0.0
  x-countersign: 1
  x-unstated:
    retries: { source: '1', question: Are deliveries repeated? }
${entries}
channels:
  moved:
    address: /moved
    messages: { moved: { $ref: '#/components/messages/moved' } }
  lost:
    messages: { lost: { payload: { type: object } } }
operations:
  sendMoved:
    action: send
    channel: { $ref: '#/channels/moved' }
    bindings: { http: { method: PUT, bindingVersion: 0.3.0 } }
  sendLost: { action: send, channel: { $ref: '#/channels/lost' } }
components:
  messages:
    moved: { payload: { type: object } }
`;

const where = (actions: string, more = ''): string => `    in-path:
      source: '2'
      question: Is the label in the path?
${more}      choices:
        appended: It is.
        name-only: { meaning: It is not., actions: [${actions}] }
`;
const how = (action: string): string => `    by-method:
      source: '2'
      question: Is it the method?
      choices:
        as-labelled: It is.
        unrelated: { meaning: It is not., actions: [${action}] }
`;

const withoutAddress = "{ target: '$.channels[*].address', remove: true }";
const withoutBindings = "{ target: '$.operations[*].bindings', remove: true }";
const bothOpen =
  'Open questions decide whether requests have this address and this method: `in-path` (Is the label in the path?) and `by-method` (Is it the method?).';
const addressOpen =
  'An open question decides whether requests have this address: `in-path` (Is the label in the path?).';

it.each([
  ['both are decided', where(withoutAddress) + how(withoutBindings), bothOpen],
  ['the address is decided', where(withoutAddress), addressOpen],
  [
    'the address is replaced',
    where("{ target: '$.channels.moved', update: { address: /v2/moved } }"),
    addressOpen,
  ],
  [
    'the method is replaced',
    how("{ target: '$.operations.sendMoved.bindings', update: { http: { method: POST } } }"),
    'An open question decides whether requests have this method: `by-method` (Is it the method?).',
  ],
  ['no action concerns the label', where("{ target: '$.info', update: { title: A } }"), undefined],
  [
    'another member of the channel is decided',
    where("{ target: '$.channels.moved', update: { description: A. } }"),
    undefined,
  ],
  [
    'the question is settled to the label',
    where(withoutAddress, '      settled: appended\n'),
    undefined,
  ],
  [
    'the question is settled to no label',
    where(withoutAddress, '      settled: name-only\n'),
    undefined,
  ],
])('a published label has a note with the open questions where %s', async (_, entries, note) => {
  const { contract } = await lowerFiles({
    'openapi.yaml': openapi,
    'asyncapi.yaml': asyncapi(entries),
  });
  const published = contract.documents;
  const at = (place: string, name: string): unknown =>
    Object(Object(Object(published.asyncapi)[place])[name])['x-note'];
  expect([at('channels', 'moved'), at('operations', 'sendMoved')]).toEqual([note, note]);
  const webhook = JSON.stringify(Object(published.openapi?.['webhooks'])['moved']);
  expect(webhook.includes('question')).toBe(note !== undefined);
  if (note !== undefined) expect(webhook).toContain(note);
  // What nothing decides has no note.
  expect(at('channels', 'lost')).toBeUndefined();
});

it('each label of this repository has a note that cites both of its open questions', async () => {
  const files = { openapi: 'spec/openapi.yaml', asyncapi: 'spec/asyncapi.yaml' };
  const { contract } = await lowerAndCheck(await load(files, { folder: process.cwd() }));
  const channels: readonly object[] = Object.values(
    Object(contract.documents.asyncapi?.['channels']),
  );
  const labelled = channels.filter((channel) => 'address' in channel);
  expect(labelled).toHaveLength(6);
  for (const channel of labelled) {
    const note = JSON.stringify(Object(channel)['x-note']);
    expect(note).toContain('`label-in-url`');
    expect(note).toContain('`label-method`');
  }
});

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { toMemberName } from '../../../../generator/contract/names.ts';
import type { Contract } from '../../../../generator/contract/contract.ts';
import type { WebhooksModule } from '../../../packages/runtime/webhooks/generated-webhooks.ts';
import { generateWebhooks } from '../emit-webhooks.ts';
import { type Origin, type Payload, readPayloads } from './payloads.ts';
import { readDocument } from './read-document.ts';

/** Where a delivery of an event that the document has can end, or one of an event that it does not have. */
export type Ending = 'own' | 'union' | 'invalid' | 'other' | 'missed' | 'unknown';

/** What the columns of the documentation say of each ending. */
export const endings: Readonly<Record<Ending, string>> = {
  own: 'its own handler',
  union: 'the handler of a union with its kind',
  invalid: '`onInvalid`, with its kind',
  other: 'another kind',
  missed: '`otherwise`',
  unknown: 'of no event or action of the document',
};

export type Counts = Readonly<Record<Ending, number>>;

const origins: readonly Origin[] = [
  'api.github.com',
  'ghes-31',
  'ghes-32',
  'ghes-33',
  'ghes-34',
  'ghes-35',
];

/** Delivers every example payload to the receiver that is generated from a contract. */
export async function countDeliveries(contract: Contract): Promise<Counts> {
  await using generated = await generateWebhooks(contract);
  // By Node itself: a thousand modules would otherwise be transformed one by one.
  const require = createRequire(import.meta.url);
  const receiver = require(join(generated.webhooks, 'src/index.ts')) as WebhooksModule;
  const kinds = await kindsByEvent();
  const payloads = await Promise.all(origins.map((origin) => readPayloads(origin)));
  const counts = { own: 0, union: 0, invalid: 0, other: 0, missed: 0, unknown: 0 };
  for (const payload of payloads.flat()) counts[await deliver(receiver, kinds, payload)] += 1;
  return counts;
}

/** The kinds by event and action, which the operationIds of the document state: `check-run/created`. */
async function kindsByEvent(): Promise<ReadonlyMap<string, string>> {
  const { webhooks } = await readDocument();
  return new Map(
    Object.entries(webhooks).map(([name, { post }]) => {
      const [event = '', action = ''] = post.operationId.replaceAll('-', '_').split('/');
      return [`${event} ${action}`, toMemberName(name)];
    }),
  );
}

async function deliver(
  receiver: WebhooksModule,
  kindOf: ReadonlyMap<string, string>,
  { event, body, title }: Payload,
): Promise<Ending> {
  const action = typeof body['action'] === 'string' ? body['action'] : '';
  // Some events have one kind for all of their actions.
  const expected = kindOf.get(`${event} ${action}`) ?? kindOf.get(`${event} `);
  const endings: Ending[] = [];
  const end = (kinds: readonly (string | null)[], ending: Ending): void => {
    if (expected === undefined) endings.push('unknown');
    else endings.push(kinds.includes(expected) ? ending : 'other');
  };
  const { fetch } = receiver.createWebhooks({
    authenticate: receiver.unauthenticated(),
    on: {},
    otherwise: {
      rest({
        kind,
        kinds = [kind],
      }: {
        readonly kind: string | null;
        readonly kinds?: readonly (string | null)[];
      }) {
        if (kind === null && expected !== undefined) endings.push('missed');
        else end(kinds, kinds.length === 1 ? 'own' : 'union');
      },
    },
    onInvalid: ({ kinds }: { readonly kinds: readonly string[] }) => end(kinds, 'invalid'),
  });
  const headers = { 'X-GitHub-Event': event };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  await fetch(new Request('http://127.0.0.1/hooks', init));
  const [ending, ...furtherEndings] = endings;
  if (ending === undefined || furtherEndings.length > 0)
    throw new Error(`${title} ended ${endings.length} times`);
  return ending;
}

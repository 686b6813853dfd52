import { expect } from 'vitest';
import type { Receive } from '../../../../../packages/runtime/webhooks/receiver.ts';
import { secret, type Seen } from '../workbench.ts';
import { bySignature, chargePath, text, type Rule } from './rule.ts';

/** Several receivers at one server. */
export const mounting: readonly Rule[] = [
  {
    name: 'two receivers in one app keep their prefixes, options and duplicates to themselves',
    async run(bench) {
      const { createWebhooks, sharedSecret } = bench.imported.main;
      const seen: [mount: string, kind: string | null][] = [];
      const mounted = (mount: string, more: object): Receive =>
        createWebhooks({
          authenticate: sharedSecret({ header: 'x-secret' }, secret),
          deliveryIdentity: 'same-content',
          on: {},
          otherwise: { rest: ({ kind }: Seen) => seen.push([mount, kind]) },
          onInvalid: () => undefined,
          mount,
          ...more,
        }).receive;
      const first = mounted('/first', {});
      const second = mounted('/second/hook', bySignature(bench));
      await using running = await bench.serve((request) =>
        request.target.startsWith('/first') ? first(request) : second(request),
      );
      const statuses: number[] = [];
      for (const [prefix, sign] of [
        ['/first', false],
        ['/first', false],
        ['/second/hook', false],
        ['/second/hook', true],
      ] as const)
        statuses.push((await running.send({ path: prefix + chargePath, body: text, sign })).status);
      expect(statuses).toEqual([200, 200, 401, 200]);
      expect(seen).toEqual([
        ['/first', 'charge'],
        ['/second/hook', 'charge'],
      ]);
    },
  },
];

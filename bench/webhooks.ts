import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { Bench } from 'tinybench';
import type { IncomingRequest } from '../packages/webhooks/src/index.ts';
import { importWebhooks } from '../test/webhooks/generated-webhooks.ts';
import type { Throughput } from './validators.ts';

const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const apikey = 'example-api-key';

/** A delivery as an adapter hands it over, and its parts for those who take them by hand. */
interface Delivery {
  readonly request: IncomingRequest;
  readonly body: Uint8Array;
  readonly signature: Buffer;
  readonly signed: string;
}

/** Receives signed notifications of 700 bytes, no two of them the same, with and without the strict scan. */
export async function benchWebhooks(milliseconds: number): Promise<readonly Throughput[]> {
  await using imported = await importWebhooks();
  const { main, testing } = imported;
  const signer = testing.createSignatureSigner({ key });
  const example = imported.contract.notifications.find(({ name }) => name === 'staticCharge')
    ?.examples[0]?.value as { readonly Pix: object };
  const deliveries: Delivery[] = [];
  const path = '/v2/apm/pix/charge/static';
  for (let index = 0; index < 4096; index++) {
    const value = { Pix: { ...example.Pix, txid: `EXAMPLE${index}`, note: 'x'.repeat(90) } };
    const body = new TextEncoder().encode(JSON.stringify(value));
    const head = { apikey, 'content-length': String(body.length) };
    const lookup = (all: Readonly<Record<string, string>>) => (name: string) => {
      const given = all[name];
      return given === undefined ? [] : [given];
    };
    const made = await signer.sign({ method: 'POST', url: path, headers: lookup(head), body });
    const headers = lookup({ ...head, ...made });
    const signature = Buffer.from(made['x-hmac-signature'] ?? '', 'base64');
    deliveries.push({
      request: { method: 'POST', target: path, headers, read: () => Promise.resolve(body) },
      body,
      signature,
      signed: apikey + (made['x-timestamp'] ?? ''),
    });
  }
  let turn = 0;
  const next = (): Delivery => deliveries[turn++ % deliveries.length] as Delivery;
  const secret = createSecretKey(Buffer.from(key));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const floor = (): unknown => {
    const { body, signature, signed } = next();
    const digest = createHmac('sha256', secret).update(signed).update(body).update(path).digest();
    if (!timingSafeEqual(digest, signature)) throw new Error('The floor does not hold.');
    return JSON.parse(decoder.decode(body));
  };
  const receiver = (more: object): (() => Promise<unknown>) => {
    const { receive } = main.createWebhooks({
      authenticate: main.verifySignature({ keys: [key], headers: { apikey } }),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
      ...more,
    });
    return async () => {
      const { reason } = await receive(next().request);
      if (reason !== 'handled' && reason !== 'duplicate') throw new Error(reason);
    };
  };
  const bench = new Bench({ time: milliseconds, warmupTime: milliseconds / 4 });
  bench.add('HMAC, comparison, JSON.parse', floor);
  bench.add('receive', receiver({ deliveryIdentity: 'every-delivery' }));
  bench.add(
    'receive, no strict scan',
    receiver({ deliveryIdentity: 'every-delivery', strict: false }),
  );
  bench.add(
    'receive, recognising duplicates',
    receiver({ deliveryIdentity: 'transaction-and-status' }),
  );
  bench.add('receive, recognising equal content', receiver({}));
  await bench.run();
  return bench.tasks.map(({ name, result }) => ({
    name,
    perSecond: result.state === 'completed' ? result.throughput.mean : Number.NaN,
  }));
}

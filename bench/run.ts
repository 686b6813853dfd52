import { benchAdapters } from './adapters.ts';
import { bundleSize } from './bundle-size.ts';
import { benchClient } from './client.ts';
import { benchGenerate } from './generate.ts';
import type { Cost } from './measure-command.ts';
import { benchSigning } from './signing.ts';
import { benchValidators } from './validators.ts';
import { benchWebhooks } from './webhooks.ts';

/** `npm run bench`: prints figures, asserts none. Run it when nothing else runs. */
const { cold, warm } = benchGenerate(5);
console.log('generate, median of 5 runs');
console.table({ cold: round(cold), 'warm (nothing changed)': round(warm) });
console.log(`warm is ${(cold.wallMilliseconds / warm.wallMilliseconds).toFixed(1)} times faster\n`);

const throughputs = await benchValidators(1000);
const byHand = throughputs.at(-1)?.perSecond ?? Number.NaN;
console.log('one due-date charge, accepted');
console.table(
  Object.fromEntries(
    throughputs.map(({ name, perSecond }) => [
      name,
      {
        'per second': Math.round(perSecond),
        'of the hand-written check': `${((100 * perSecond) / byHand).toFixed(0)} %`,
      },
    ]),
  ),
);

const contract = '@instant-payment/contract';
const imports = {
  'one enumeration guard': `export { isPixStatus } from '${contract}'`,
  'one small guard': `export { isToken } from '${contract}'`,
  'one notification guard': `export { isCharge } from '${contract}'`,
  'one assertion, with words': `export { assertCharge } from '${contract}'`,
  everything: `export * from '${contract}'`,
};
console.log('bytes in a bundle that imports');
const sizes = await Promise.all(
  Object.entries(imports).map(async ([name, code]) => [name, await bundleSize(code)] as const),
);
console.table(Object.fromEntries(sizes));

const signing = await benchSigning(1000);
console.log('one request of half a kilobyte, signed and verified');
console.table(
  Object.fromEntries(
    signing.map(({ name, perSecond, floorPerSecond }) => [
      name,
      {
        'per second': Math.round(perSecond),
        'cost of the HMAC alone over the same bytes': `${(floorPerSecond / perSecond).toFixed(2)} ×`,
      },
    ]),
  ),
);

const calls = await benchClient(2000);
const bareCall = calls[0]?.cpuMicroseconds ?? Number.NaN;
console.log('one call to the same server, sequential');
console.table(
  Object.fromEntries(
    calls.map(({ name, wallMicroseconds, cpuMicroseconds }) => [
      name,
      {
        'wall µs': Math.round(wallMicroseconds),
        'CPU µs': Math.round(cpuMicroseconds),
        'CPU of the bare fetch': `${(cpuMicroseconds / bareCall).toFixed(2)} ×`,
      },
    ]),
  ),
);

const deliveries = await benchWebhooks(20, 10_000);
const bareDelivery = deliveries[0]?.microseconds ?? Number.NaN;
console.log('one notification of 700 bytes, received');
console.table(
  Object.fromEntries(
    deliveries.map(({ name, microseconds }) => [
      name,
      {
        µs: microseconds.toFixed(2),
        'of the floor': `${(microseconds / bareDelivery).toFixed(2)} ×`,
      },
    ]),
  ),
);

console.log('one notification of 700 bytes, received behind an adapter: CPU of the server');
console.table(
  Object.fromEntries(
    (await benchAdapters(12, 4096)).map(({ name, bareMicroseconds, receivingMicroseconds }) => [
      name,
      {
        'bare µs': bareMicroseconds.toFixed(1),
        'receiving µs': receivingMicroseconds.toFixed(1),
        'of the bare framework': `${(receivingMicroseconds / bareMicroseconds).toFixed(2)} ×`,
      },
    ]),
  ),
);

function round(cost: Cost): Readonly<Record<string, number>> {
  return {
    'wall ms': Math.round(cost.wallMilliseconds),
    'CPU ms': Math.round(cost.cpuMilliseconds),
    'peak MB': Math.round(cost.peakMegabytes),
  };
}

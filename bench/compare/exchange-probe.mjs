// Counts, and measures, what one signed delivery and one signed call cost the generated code of a checked-out revision:
// node exchange-probe.mjs <scope> <delivery|call> <exchanges to measure>
// Prints JSON: the calls of crypto and JSON of one exchange, and the CPU and wall time of one in microseconds.
import crypto from 'node:crypto';
import { Session } from 'node:inspector';
import module from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [scope = '', kind = '', amount = '0'] = process.argv.slice(2);
const require = module.createRequire(pathToFileURL(join(process.cwd(), 'probe.mjs')));
/** Imports a generated package of the revision in this folder. */
const importPackage = async (name) =>
  await import(pathToFileURL(require.resolve(`${scope}/${name}`)).href);

const session = new Session();
let counts = { crypto: 0, json: 0 };
const calls = Number(amount);
if (calls === 0) {
  countCalls(crypto, 'crypto');
  countCalls(crypto.webcrypto.subtle, 'crypto', Object.getPrototypeOf(crypto.webcrypto.subtle));
  countCalls(JSON, 'json');
  module.syncBuiltinESMExports();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
}

const exchange = kind === 'delivery' ? await prepareDeliveries() : await prepareCalls();
for (let index = 0; index < (calls === 0 ? 5 : calls / 5); index += 1) await exchange(index);
// What was counted before is dropped.
takeCalls();
counts = { crypto: 0, json: 0 };
const [cpu, start] = [process.cpuUsage(), performance.now()];
const measuredCalls = calls === 0 ? 1 : calls;
for (let index = 0; index < measuredCalls; index += 1) await exchange(index);
const wallMicroseconds = ((performance.now() - start) * 1000) / measuredCalls;
const { user, system } = process.cpuUsage(cpu);
const functions = takeCalls();
console.log(
  JSON.stringify({
    counts: { ...counts, functions },
    wallMicroseconds,
    cpuMicroseconds: (user + system) / measuredCalls,
  }),
);
process.exit();

/** Returns the number of calls of the revision's functions since the last time. */
function takeCalls() {
  let sum = 0;
  if (calls > 0) return sum;
  session.post('Profiler.takePreciseCoverage', (_, coverage) => {
    for (const { url, functions } of coverage?.result ?? [])
      if (url.startsWith('file:') && url !== import.meta.url)
        sum += functions.reduce((all, { ranges: [range] }) => all + range.count, 0);
  });
  return sum;
}

/** Replaces the functions of an object by functions that count their calls. */
function countCalls(holder, name, names = holder) {
  for (const member of Object.getOwnPropertyNames(names)) {
    const { value: original } = Object.getOwnPropertyDescriptor(names, member) ?? {};
    // Classes are created, and not called.
    if (typeof original !== 'function' || /^[A-Z]|^constructor$/u.test(member)) continue;
    holder[member] = function (...words) {
      counts[name] += 1;
      return Reflect.apply(original, this, words);
    };
  }
}

/** Returns a function that receives a signed notification, and throws unless a handler gets it. */
async function prepareDeliveries() {
  const { createWebhooks, verifySignature } = await importPackage('webhooks');
  const { createSignatureSigner } = await importPackage('webhooks/testing');
  const [key, apikey] = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'example-api-key'];
  const url = '/v2/apm/pix/charge/static';
  const example = readFileSync('spec/examples/staticCharge.with-payer.json');
  const lookup = (headers) => (name) => (headers[name] === undefined ? [] : [headers[name]]);
  const signer = createSignatureSigner({ key });
  const head = { apikey, 'content-length': String(example.length) };
  const signature = await signer.sign({
    method: 'POST',
    url,
    headers: lookup(head),
    body: example,
  });
  const headers = lookup({ ...head, ...signature });
  const { receive } = createWebhooks({
    authenticate: verifySignature({ keys: [key], headers: { apikey } }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
    deliveryIdentity: 'every-delivery',
  });
  return async () => {
    const outcome = await receive({ method: 'POST', target: url, headers, read: () => example });
    if (outcome.reason !== 'handled') throw new Error(`The delivery is ${outcome.reason}.`);
  };
}

/** Returns a function that makes one signed call, which an answer without a network ends. */
async function prepareCalls() {
  const { createClient } = await importPackage('client');
  const client = createClient({
    baseUrl: 'https://127.0.0.1',
    credentials: { clientId: 'a', clientSecret: 'b', apiKey: 'c', signingSecret: 'd' },
    fetch: async () =>
      new Response('{"access_token":"token","expires_in":3600}', {
        headers: { 'content-type': 'application/json' },
      }),
  });
  return async () => void (await client.issueToken());
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { callFaults, createSimulator, type Service } from '@countersign/simulator';
import { describe, expect, it } from 'vitest';
import { clientTarget } from '../../../generator/targets/client/target.ts';
import { contractTarget } from '../../../generator/targets/contract/target.ts';
import { target as simulatorTarget } from '../../../packages/simulator/src/target/target.ts';
import { createRandom } from '../../../packages/simulator/src/random.ts';
import { readContract } from '../../targets/client/emit-client.ts';
import { generateProject } from '../../targets/emit-project.ts';
import { type ClientModule, importModule } from '../runtime/client/generated-client.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { SoakLedger, type SoakSum } from './soak-ledger.ts';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 20);
const ferry = join(import.meta.dirname, 'ferry');
const files = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml', workflows: ['flows.yaml'] };

interface Soak extends SoakSum {
  readonly calls: number;
  readonly answers: number;
  /** Failed calls by the code of their error. */
  readonly errors: Readonly<Record<string, number>>;
  /** Connections that the proxy broke before the service executed an operation. */
  readonly broken: Readonly<Record<string, number>>;
}

/** Makes calls with eight workers until the time is over. Tokens expire every second. */
async function soak(module: ClientModule, service: Service): Promise<Soak> {
  const ledger = new SoakLedger();
  const faults = { 'error-503': 0.05, 'reset-response': 0.05, 'slow-response': 0.05 };
  const simulator = await createSimulator(service, { seed: 7, faults });
  await using proxy = await startFaultProxy(simulator.url, 0.02, (request) => ledger.send(request));
  simulator.respond('issueToken', { body: { access_token: '', expires_in: 1 } });
  simulator.respond('createBooking', ({ parameters }) => {
    const { 'x-request-id': id } = parameters.header;
    if (typeof id === 'string') ledger.execute(id);
    return {};
  });
  simulator.journal.subscribe((entry) => {
    if (entry.type === 'call') ledger.record(entry);
  });
  const { createClient, ClientError } = module;
  const client = createClient({
    baseUrl: proxy.url,
    credentials: simulator.credentials,
    attemptTimeoutMs: 2000,
    timeoutMs: 15_000,
    retry: { attempts: 4, firstDelayMs: 20 },
    onEvent: (event: Parameters<typeof ledger.observe>[0]) => ledger.observe(event),
  });
  const end = performance.now() + seconds * 1000;
  const errors: Record<string, number> = {};
  let answers = 0;
  let calls = 0;
  const work = async (worker: number): Promise<void> => {
    const random = createRandom(worker);
    while (performance.now() < end) {
      calls += 1;
      try {
        const answer = await random.pick([
          () => client['listSailings']?.({ query: { date: '2026-02-03', limit: 5 } }),
          () => client['findBooking']?.({ path: { id: `B${random.integer(1, 999)}` } }),
          () => client['createBooking']?.({ body: { sailing: 'S1', seats: 2, amount: 39.98 } }),
        ])();
        expect(answer?.status).toBeOneOf([200, 201]);
        answers += 1;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        errors[error.code] = (errors[error.code] ?? 0) + 1;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
  } finally {
    await simulator.close();
  }
  return { calls, answers, errors, ...ledger.sum(), broken: { ...proxy.broken } };
}

describe('a generated client and the simulator of the same contract', () => {
  it(
    `ends every call, and repeats none that may have been executed: ${seconds} s`,
    { timeout: (seconds + 120) * 1000 },
    async ({ annotate }) => {
      const targets = [contractTarget, clientTarget, simulatorTarget];
      const contract = await readContract(files, ferry);
      await using generated = await generateProject(contract, targets, { unformatted: true });
      const { project } = generated;
      const description = pathToFileURL(join(project, 'simulator/src/service.ts')).href;
      const { service } = (await import(description)) as { readonly service: Service };
      const totals = await soak(await importModule(join(project, 'client')), service);
      await annotate(JSON.stringify(totals));

      const { calls, answers, errors, bookings, executedBookings, tokens, faults, broken } = totals;
      const failures = Object.values(errors).reduce((sum, count) => sum + count, 0);
      expect(answers + failures).toBe(calls);
      expect(totals).toMatchObject({ bookingsSentTwice: 0, bookingsExecutedTwice: 0 });
      expect(tokens.unjustified).toBe(0);
      expect(tokens.requests).toBeLessThanOrEqual(
        1 + tokens.expired + tokens.failed + tokens.refused,
      );
      // All of it happened: without faults, this test would prove nothing.
      expect(Object.keys(errors)).toEqual(expect.arrayContaining(['network', 'unexpected-status']));
      expect(Object.keys(faults).toSorted()).toEqual([...callFaults].toSorted());
      expect(Math.min(...Object.values(broken))).toBeGreaterThan(0);
      expect(totals.repeated).toBeGreaterThan(0);
      expect(tokens.expired).toBeGreaterThan(seconds / 4);
      expect(executedBookings).toBeLessThan(bookings);
    },
  );
});

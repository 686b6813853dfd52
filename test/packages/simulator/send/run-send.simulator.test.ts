import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSessions, keepSession } from '../../../../packages/simulator/src/simulate/session.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { receiveAll } from './listen.ts';
import type { Run } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { createFerryProject, simulate, started } from '../simulate/simulating.ts';

let ferry: string;

beforeAll(async () => {
  ferry = await createFerryProject();
});
afterAll(() => rm(ferry, { recursive: true }));

const send = (...parameters: readonly string[]): Promise<Run> =>
  runInProcess(ferry, ['send', ...parameters]);

describe('countersign send without --to', () => {
  it('explains itself, and that no simulator is running', async () => {
    const { code, out } = await send('--help');
    expect(code).toBe(0);
    for (const text of ['<event>', '--data <json>', '--fault <name>', '--allow-invalid'])
      expect(out).toContain(text);
    const refused = await send('bookingConfirmed');
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('Start one with `countersign simulate`, or name the endpoint');
  });

  it('lets the simulator send the notification that its parameters select', async () => {
    const { url, received } = await receiveAll();
    await started(simulate(ferry, ['--json', '--to', `${url}/hooks`]));
    const first = await send('bookingConfirmed');
    expect(first).toMatchObject({ code: 0, out: 'bookingConfirmed: acknowledged, status 200\n' });
    await send('bookingConfirmed', '--example', 'waiting');
    await send('bookingConfirmed', '--data', '{"booking":{"seats":9}}', '--parameter', 'id=B 7');
    await send('bookingCancelled', '--payload', '{"id":"B9","refund":1}');
    await send('seatsChanged', '--sample', '--fault', 'duplicate');
    expect(received.map(({ url: path }) => path)).toEqual([
      '/hooks/bookings/B1/confirmed',
      '/hooks/bookings/B2/confirmed',
      '/hooks/bookings/B%207/confirmed',
      '/hooks/bookings/cancelled',
      '/hooks/seats',
      '/hooks/seats',
    ]);
    expect(received.map(({ body }) => body)).toMatchObject([
      { booking: { id: 'B1', state: 'CONFIRMED' } },
      { booking: { state: 'WAITING' } },
      // The event of the example was sent before, so this one has another identity.
      { booking: { id: expect.not.stringMatching(/^B[12]$/u), seats: 9 } },
      { id: 'B9', refund: 1 },
      {},
      received[4]?.body,
    ]);
    expect(received[0]?.headers['x-ferry-signature']).toMatch(/^t=\d+,v1=[\da-f]{64}$/u);
  });

  it('sends amounts with the digits that were given', async () => {
    const { url, received } = await receiveAll();
    await started(simulate(ferry, ['--json', '--to', url]));
    const payload = ' {"id": "B9", "refund": 10000000000000000.01, "fee": 1.10}';
    await send('bookingCancelled', '--payload', payload);
    const file = join(await temporaryFolder(), 'payload.json');
    await writeFile(file, payload);
    await send('bookingCancelled', '--payload', `@${file}`);
    await send('bookingCancelled', '--data', '{"refund": 10000000000000000.01, "fee": 1.10}');
    expect(received.map(({ text }) => text)).toEqual([
      payload,
      payload,
      '{"id":"B1","refund":10000000000000000.01,"fee":1.10}',
    ]);
    const faulty = ['--data', '{"refund":1.10}', '--fault', 'unknown-property'];
    const refused = await send('bookingCancelled', ...faulty);
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining('unknown-property') });
    expect(received).toHaveLength(3);
  });

  it('tells machines the same', async () => {
    const { url } = await receiveAll();
    await started(simulate(ferry, ['--json', '--to', url]));
    const { code, out } = await send('seatsChanged', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      command: 'send',
      ok: true,
      results: [
        {
          event: 'seatsChanged',
          delivery: { kind: 'seatsChanged', state: 'acknowledged', attempts: [{ attempt: 1 }] },
        },
      ],
    });
    expect(await send('seatsChanged', '--quiet')).toEqual({ code: 0, out: '', error: '' });
  });

  it('reports a delivery that was not acknowledged, and when it is repeated', async () => {
    const { url } = await receiveAll(503);
    await started(simulate(ferry, ['--json', '--to', url]));
    const { code, out } = await send('seatsChanged');
    expect(code).toBe(1);
    expect(out).toMatch(/^seatsChanged: pending, status 503, again in \d+\.\d s\n$/u);
  });

  it('refuses what it cannot send', async () => {
    const { url, received } = await receiveAll();
    await started(simulate(ferry, ['--json', '--to', url]));
    const cases = [
      [['unknownKind'], 2, 'unknownKind'],
      [['seatsChanged', '--example', 'unknown'], 2, 'unknown'],
      [['seatsChanged', '--data', '{'], 2, '--data is not valid JSON'],
      [['seatsChanged', '--payload', 'nothing'], 2, '--payload is not valid JSON'],
      [['seatsChanged', '--data', '@none.json'], 2, 'The file of --data cannot be read'],
      [['seatsChanged', '--payload', 'seats.json'], 2, 'write --payload @seats.json'],
      [['seatsChanged', '--parameter', 'id'], 2, '--parameter'],
      [['seatsChanged', '--fault', 'unknown'], 2, '"unknown" is not a fault of deliveries'],
      [[], 2, 'event'],
      [['bookingCancelled', '--payload', '{"id":7}'], 1, 'not valid'],
    ] as const;
    for (const [parameters, code, message] of cases) {
      const refused = await send(...parameters);
      expect({ parameters, code: refused.code, error: refused.error }).toMatchObject({
        code,
        error: expect.stringContaining(message),
      });
    }
    expect(received).toEqual([]);
    const parameters = ['bookingCancelled', '--payload', '{"id":7}', '--allow-invalid'];
    expect(await send(...parameters)).toMatchObject({ code: 0 });
    expect(received).toMatchObject([{ body: { id: 7 } }]);
  });

  it('reports that the simulator has no receiver', async () => {
    await started(simulate(ferry, ['--json']));
    const { code, error } = await send('seatsChanged');
    expect(code).toBe(1);
    expect(error).toContain('receiver');
  });

  it('requires a choice among several simulators', async () => {
    const { url, received } = await receiveAll();
    const { console: link } = await started(simulate(ferry, ['--json', '--to', url]));
    const other = 'http://127.0.0.1:9/';
    // The process that started this one runs, too.
    const session = { console: other, token: 'other', pid: process.ppid };
    const forget = await keepSession(ferry, session);
    const address = new URL('/', link).href;
    const ambiguous = await send('seatsChanged');
    expect(ambiguous.code).toBe(2);
    for (const text of ['--console', other, address]) expect(ambiguous.error).toContain(text);
    expect(await send('seatsChanged', '--console', address)).toMatchObject({ code: 0 });
    const silent = await send('seatsChanged', '--console', other);
    expect(silent).toMatchObject({ code: 1, error: expect.stringContaining('does not answer') });
    const unknown = await send('seatsChanged', '--console', 'http://127.0.0.1:10');
    expect(unknown).toMatchObject({ code: 1, error: expect.stringContaining('No simulator') });
    for (const text of [other, address]) expect(unknown.error).toContain(text);
    expect(received).toHaveLength(1);
    await forget?.();
    expect(await findSessions(ferry)).toHaveLength(1);
  });
});

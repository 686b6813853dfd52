import { expect, it } from 'vitest';
import { run } from '../../../generator/cli/run.ts';
import { createTestInbox } from './stored-events.ts';

it('`inbox console` serves the inbox until it is interrupted, and records with --by', async () => {
  await using inbox = await createTestInbox();
  await inbox.receive('a', { kind: 'shipDocked' });
  const printed = Promise.withResolvers<string>();
  const interrupted = Promise.withResolvers<void>();
  let error = '';
  const ended = run(['inbox', 'console', '--store', 'inbox.db', '--by', 'ana'], {
    folder: inbox.folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    untilInterrupted: async () => await interrupted.promise,
    out: printed.resolve,
    error: (text) => void (error += text),
  });
  const link = new URL((await printed.promise).trim());
  const { origin } = link;
  const headers = { 'content-type': 'application/json', 'x-countersign-console': '1', origin };
  const session = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token: link.hash.replace('#token=', '') }),
  });
  const cookie = session.headers.get('set-cookie')?.replace(/;.*$/u, '') ?? '';
  const revealed = await fetch(`${origin}/api/events/a-0/reveal`, {
    method: 'POST',
    headers: { ...headers, cookie },
  });
  expect(await revealed.json()).toMatchObject({ body: { text: '{"ship":"gull"}' } });
  interrupted.resolve();
  expect(await ended).toBe(0);
  expect(error).toBe('');
  await expect(fetch(origin)).rejects.toThrow();
  expect(await inbox.store.audit()).toMatchObject([{ by: 'ana', action: 'reveal' }]);
});

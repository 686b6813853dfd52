import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { formsOpenapi } from '../../../targets/webhooks/forms.ts';
import { listenForTest } from './listen.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';

it('sends a form, and data in the query, signed', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.yaml': formsOpenapi,
    'countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.yaml' },
      scope: '@shop',
      output: 'out',
      targets: ['contract'],
    }),
  });
  const received: (readonly string[])[] = [];
  const url = await listenForTest((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      received.push([
        method,
        target,
        headers['content-type'] ?? '',
        headers['x-seal'] === undefined ? '' : 'signed',
        Buffer.concat(chunks).toString(),
      ]);
      response.end();
    });
  });
  const send = async (...parameters: readonly string[]): Promise<unknown> =>
    await runInProcess(folder, ['send', ...parameters, '--quiet'], { WEBHOOK_SECRET: 'k' });
  expect(await send('message', '--to', `${url}/hooks`)).toMatchObject({ code: 0 });
  expect(
    await send('visit', '--to', `${url}/hooks?a=b`, '--data', '{"pages":[1,2]}'),
  ).toMatchObject({ code: 0 });
  // Both have an identity, which is fresh.
  const fresh = /(?<=\b(?:MessageSid|visitor)=)(?!SM1&|ann&)[^&]+/u;
  expect(
    received.map((requestTexts) => requestTexts.map((text) => text.replace(fresh, '{fresh}'))),
  ).toEqual([
    [
      'POST',
      '/hooks',
      'application/x-www-form-urlencoded',
      'signed',
      'MessageSid={fresh}&Body=Ol%C3%A1+%26+at%C3%A9+j%C3%A1&NumMedia=2&Tags=a&Tags=b&Segment=%7B%22id%22%3A7%7D',
    ],
    ['GET', '/hooks?a=b&visitor={fresh}&count=3&pages=1,2', '', 'signed', ''],
  ]);
});

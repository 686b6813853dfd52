import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';
import { statusesInstead } from '../../../../packages/simulator/src/sending/expected-status.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { receiveAll } from './listen.ts';

const openapi = `openapi: 3.1.1
info: { title: Statuses, version: 1.0.0 }
webhooks:
  sent:
    post:
      security: []
      requestBody: { content: { application/json: { schema: { type: object }, example: {} } } }
      responses: { '202': { description: Accepted }, '204': { description: None } }
`;

test('send says which status the contract states', async () => {
  const folder = await temporaryFolder();
  const contract = { openapi: 'openapi.yaml' };
  const targets = ['contract'];
  await writeTree(folder, {
    'openapi.yaml': openapi,
    'countersign.config.json': JSON.stringify({ contract, scope: '@s', output: 'out', targets }),
  });
  const send = async (status: number, ...flags: readonly string[]): Promise<string> => {
    const { url } = await receiveAll(status);
    const { code, out } = await runInProcess(folder, ['send', 'sent', '--to', url, ...flags]);
    expect(code).toBe(0);
    return out;
  };
  expect(await send(200)).toContain('The contract states the status 202 or 204.');
  expect(await send(202)).not.toContain('The contract states');
  const data = JSON.parse(await send(201, '--json')) as object;
  expect(data).toMatchObject({ results: [{ response: { expected: ['202', '204'] } }] });
});

test.each([
  [['202'], 200, true],
  [['202'], 202, false],
  [['202'], 500, false],
  [['2XX'], 200, false],
  [undefined, 200, false],
])('statuses %j, answered with %d: expected another one: %s', (statuses, status, isOther) => {
  const delivery = { method: 'POST', headers: {}, ...(statuses && { statuses }) };
  expect(statusesInstead({ delivery }, status) !== undefined).toBe(isOther);
});

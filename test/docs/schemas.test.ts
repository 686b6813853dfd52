import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { load } from '../../generator/load/load.ts';
import { lowerAndCheck } from '../rules/lower-and-check.ts';

// A webhook of a parent, whose heirs are the events, as documents of vendors have it.
const openapi = `openapi: 3.1.1
info: { title: Events, version: 1.0.0 }
webhooks:
  event:
    post:
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } }
      responses: { '200': { description: Done. } }
components:
  schemas:
    Event:
      type: object
      required: [type]
      properties: { type: { type: string } }
      discriminator:
        propertyName: type
        mapping: { paid: '#/components/schemas/Paid', failed: '#/components/schemas/Failed' }
    Paid: { allOf: [{ $ref: '#/components/schemas/Event' }, { properties: { amount: { type: integer } } }] }
    Failed: { allOf: [{ $ref: '#/components/schemas/Event' }, { properties: { reason: { type: string } } }] }
`;

test('the overlay of the page makes a kind of each alternative', async () => {
  const page = await readFile(new URL('../../docs/schemas.md', import.meta.url), 'utf8');
  const [, overlay = ''] = /```yaml\n(overlay: [^]*?)```/u.exec(page) ?? [];
  await using folder = await mkdtempDisposable(join(tmpdir(), 'countersign-schemas-'));
  await writeFile(join(folder.path, 'openapi.yaml'), openapi);
  await writeFile(join(folder.path, 'overlay.yaml'), overlay);
  const kindsOf = async (overlays: readonly string[]): Promise<unknown> => {
    const documents = await load({ openapi: 'openapi.yaml', overlays }, { folder: folder.path });
    const { contract, diagnostics } = await lowerAndCheck(documents, 'service');
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return contract.notifications.map(({ name, ambiguousWith, payload }) => [
      name,
      payload,
      ambiguousWith,
    ]);
  };
  expect(await kindsOf([])).toEqual([['event', 'Event', []]]);
  expect(await kindsOf(['overlay.yaml'])).toEqual([
    ['paid', 'Paid', []],
    ['failed', 'Failed', []],
  ]);
});

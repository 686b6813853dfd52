import { expect, test } from 'vitest';
import { put } from './cases/case.ts';
import { diffOf } from './parcels.ts';

const secured = (security: readonly object[]) =>
  put((operation) => (operation.security = security));

test.each<[base: readonly object[], head: readonly object[], codes: readonly string[]]>([
  [[{}], [], []],
  [[], [{}], []],
  [[{}, { key: [] }], [{}], []],
  [[{ key: [] }], [{}], ['security-relaxed']],
  [[{}], [{ key: [] }], ['security-tightened']],
  [[{ key: [] }, { bearer: [] }], [{ key: [] }], ['security-tightened']],
])('security that changes from %j to %j gives %j', async (base, head, codes) => {
  const changes = await diffOf(secured(head), secured(base));
  expect(changes.map(({ code }) => code)).toEqual(codes);
});

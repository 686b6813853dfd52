import { sqliteReplayStore } from '../../../../../packages/runtime/inbox/replay/sqlite.ts';

/** A process that claims keys beside others, confirms the ones that it gets, and sends their names to its parent. */
const [, , path = '', owner = '', count = '0'] = process.argv;
const store = sqliteReplayStore(path, { timeoutMs: 30_000 });
const won: string[] = [];
for (let index = 0; index < Number(count); index++) {
  const key = `key ${index}`;
  if ((await store.claim(key, 600_000, owner)) !== 'claimed') continue;
  won.push(key);
  await store.confirm(key, owner);
}
store.close();
process.send?.(won);
process.disconnect?.();

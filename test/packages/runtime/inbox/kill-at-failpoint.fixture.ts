import { subscribe } from 'node:diagnostics_channel';

// Node preloads this file in the main thread and in the threads of a store.
const { KILL_AT, KILL_AFTER } = process.env;

if (KILL_AT !== undefined) {
  let left = Number(KILL_AFTER);
  subscribe(`countersign:inbox:${KILL_AT}`, () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  });
}

import { beforeAll } from 'vitest';

// Vitest limits tests and hooks, but not the time that a test file takes until its tests are known: a file that waits
// at its top level for what never happens would block the whole run without a message.

const { COUNTERSIGN_COLLECTION_MS: limitMs = '300000' } = process.env;

/** The timers of this worker: that of a file whose collection failed is still there when the next file begins. */
const timers = globalThis as { collectionTimer?: NodeJS.Timeout };

clearTimeout(timers.collectionTimer);
timers.collectionTimer = setTimeout(() => {
  const seconds = Number(limitMs) / 1000;
  process.stderr.write(`A test file waits for longer than ${seconds} s at its top level.\n`);
  // Vitest intercepts `process.exit`, and reports a worker that was killed.
  process.kill(process.pid, 'SIGKILL');
}, Number(limitMs));

beforeAll(() => clearTimeout(timers.collectionTimer));

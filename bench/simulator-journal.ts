import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator, openSqliteJournal } from '@countersign/simulator';
import { loadFerry } from './simulator-service.ts';

/** Fills the journal of a simulator, lists its newest entries, and prints the peak memory in megabytes. */
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const journal = await openSqliteJournal(join(folder, 'journal.db'));
const simulator = await createSimulator(await loadFerry(), { journal });
const body = { encoding: 'utf-8', text: JSON.stringify({ id: 'B1', seats: 2 }), size: 21 } as const;
for (let count = 0; count < Number(process.argv[2]); count += 1)
  journal.add({
    type: 'call',
    at: Date.now(),
    operation: 'createBooking',
    request: { method: 'POST', url: `${simulator.url}/bookings`, headers: [['a', 'b']], body },
    response: { status: 201, headers: [['a', 'b']], body },
    durationMs: 1,
    faults: [],
    steps: [{ name: 'route', outcome: 'passed', message: 'The contract has the path.' }],
  });
journal.list({ pageSize: 1000 });
journal.list({ text: 'no entry contains this', pageSize: 1000 });
await simulator.close();
journal.close();
rmSync(folder, { recursive: true });
console.log(Math.round(process.resourceUsage().maxRSS / 1024));

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createClient } from '@instant-payment/client';
import { end, firstLine } from './processes.ts';

/** The cost of one call for this process, and its duration. */
export interface CallCost {
  readonly name: string;
  readonly wallMicroseconds: number;
  readonly cpuMicroseconds: number;
}

/** Calls one server with a bare `fetch`, and with the generated client: signed, authorized and validated. */
export async function benchClient(calls: number): Promise<readonly CallCost[]> {
  const server = spawn(
    process.execPath,
    [fileURLToPath(new URL('./token-server.ts', import.meta.url))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const baseUrl = `http://127.0.0.1:${await firstLine(server)}`;
    const client = createClient({
      baseUrl,
      credentials: { clientId: 'a', clientSecret: 'b', apiKey: 'c', signingSecret: 'd' },
    });
    const form = 'client_id=a&client_secret=b';
    const bare = async (): Promise<void> => {
      const answer = await fetch(`${baseUrl}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form,
      });
      await answer.json();
    };
    const signed = async (): Promise<void> => {
      await client.issueToken();
    };
    for (const call of [bare, signed])
      for (let count = 0; count < calls / 5; count += 1) await call();
    return [
      await measure('a bare fetch', bare, calls),
      await measure('issueToken()', signed, calls),
    ];
  } finally {
    await end(server);
  }
}

async function measure(name: string, call: () => Promise<void>, calls: number): Promise<CallCost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let count = 0; count < calls; count += 1) await call();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return {
    name,
    wallMicroseconds: (1000 * wall) / calls,
    cpuMicroseconds: (user + system) / calls,
  };
}

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../packaging/project.ts';
import { killUnderLoad, sendPoison } from './engine-kills.ts';
import { startRabbit, type RabbitServer } from './rabbit-server.ts';

let project: Awaited<ReturnType<typeof createProject>>;

beforeAll(async () => {
  project = await createProject('rabbitmq');
  await project.npm('install', '--prefer-offline', 'amqplib@2.3.1');
}, 120_000);
afterAll(async () => {
  await project.remove();
});

describe('with RabbitMQ, a receiver and a consumer', () => {
  let server: RabbitServer;
  beforeAll(async () => {
    server = await startRabbit();
  }, 240_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  const environment = () => ({ ...process.env, AMQPLIB: join(project.folder, 'package.json') });

  test.each([
    ['receiver', 20],
    ['consumer', 20],
    ['server', 20],
    // One of two consumers.
    ['stopped', 20],
  ] as const)(
    'loses and reorders nothing that was acknowledged while the %s one ends %i times',
    async (victim, kills) => {
      const engine = {
        name: 'rabbitmq',
        url: server.url,
        restart: () => server.restart(),
      } as const;
      const outcome = await killUnderLoad(engine, victim, kills, environment());
      expect(outcome).toMatchObject({ lost: 0, reordered: 0, kills });
      if (victim === 'stopped') expect(outcome.repeated).toBe(0);
      expect(outcome.acknowledged).toBeGreaterThan(50);
    },
    1_800_000,
  );

  test('handles everything but the deliveries that end their process, which are dead', async () => {
    const { healthy, poison, lost } = await sendPoison(
      { name: 'rabbitmq', url: server.url },
      environment(),
    );
    expect({ healthy, poison, lost }).toEqual({ healthy: 100, poison: 3, lost: 0 });
    await expect
      .poll(() => listDead(server.url, environment().AMQPLIB), { timeout: 60_000, interval: 1000 })
      .toEqual(Array.from({ length: poison }, () => 'interrupted'));
  }, 600_000);
});

/** Returns the reasons of the dead deliveries, which remain. */
async function listDead(url: string, amqplib: string): Promise<readonly unknown[]> {
  const { connect } = createRequire(amqplib)('amqplib') as {
    connect(address: string): Promise<Connection>;
  };
  const connection = await connect(url);
  const channel = await connection.createChannel();
  const reasons: unknown[] = [];
  for (;;) {
    const message = await channel.get('deliveries.dead');
    if (message === false) break;
    reasons.push(message.properties.headers['x-reason']);
  }
  await connection.close();
  return reasons;
}

interface Connection {
  createChannel(): Promise<{
    get(queue: string): Promise<false | { properties: { headers: Record<string, unknown> } }>;
  }>;
  close(): Promise<void>;
}

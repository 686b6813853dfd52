import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../packaging/project.ts';
import { killUnderLoad } from './engine-kills.ts';
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

  test.each([
    ['receiver', 20],
    ['consumer', 20],
    ['server', 20],
  ] as const)(
    'loses and reorders nothing that was acknowledged while the %s is killed %i times',
    async (victim, kills) => {
      const environment = { ...process.env, AMQPLIB: join(project.folder, 'package.json') };
      const engine = {
        name: 'rabbitmq',
        url: server.url,
        restart: () => server.restart(),
      } as const;
      const outcome = await killUnderLoad(engine, victim, kills, environment);
      expect(outcome).toMatchObject({ lost: 0, reordered: 0, kills });
      expect(outcome.acknowledged).toBeGreaterThan(50);
    },
    1_800_000,
  );
});

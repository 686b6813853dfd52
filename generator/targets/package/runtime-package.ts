/** The name of the generated package with the code that other generated packages run, and of its folder. */
export const runtimePackage = 'runtime';

/** The parts of the runtime that generated code, or an application, can import. */
export const runtimeEntries = [
  'base',
  'signing',
  'signing/core',
  'signing/body',
  'signing/key-pairs',
  'signing/jwks',
  'signing/test-vectors',
  'client',
  'client/pages',
  'webhooks',
  'webhooks/answers',
  'webhooks/client-certificate',
  'webhooks/consumer',
  'webhooks/credentials',
  'webhooks/deviations',
  'webhooks/fetch',
  'webhooks/node',
  'webhooks/rabbitmq',
  'webhooks/serialize',
  'webhooks/sqs',
  'webhooks/stored-events',
  'inbox',
  'inbox/sqlite',
  'inbox/postgres',
  'inbox/replay/postgres',
  'inbox/replay/redis',
  'inbox/replay/sqlite',
  'inbox/telemetry',
] as const;

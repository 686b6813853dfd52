import type { TargetContext } from '../target.ts';
import { packageName } from './package-files.ts';
import { runtimePackage } from './runtime-package.ts';

/** The parts of the runtime that generated code, or an application, can import. */
export const runtimeEntries = [
  'base',
  'signing',
  'signing/hmac',
  'signing/body',
  'signing/key-pairs',
  'signing/jwks',
  'signing/test-vectors',
  'client',
  'webhooks',
  'webhooks/answers',
  'webhooks/aws-lambda',
  'webhooks/client-certificate',
  'webhooks/cloudflare',
  'webhooks/credentials',
  'webhooks/deviations',
  'webhooks/express',
  'webhooks/fastify',
  'webhooks/fetch',
  'webhooks/hono',
  'webhooks/koa',
  'webhooks/nestjs',
  'webhooks/nextjs',
  'webhooks/node',
  'webhooks/worker',
  'inbox',
  'inbox/sqlite',
  'inbox/postgres',
  'inbox/replay/postgres',
  'inbox/replay/redis',
  'inbox/replay/sqlite',
  'inbox/telemetry',
] as const;

/** The specifier of each part, by its path, and the name of the package, for templates. */
export type RuntimeNames = Readonly<Record<(typeof runtimeEntries)[number] | 'name', string>>;

/** Returns the specifiers by which code of this run imports the parts of the runtime. */
export function runtimeNames(context: Pick<TargetContext, 'scope' | 'packageNames'>): RuntimeNames {
  const name = packageName(context, runtimePackage);
  const specifiers = runtimeEntries.map((entry) => [entry, `${name}/${entry}`]);
  return { ...(Object.fromEntries(specifiers) as Omit<RuntimeNames, 'name'>), name };
}

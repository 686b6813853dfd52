/** The frameworks that receivers are packaged for. The target of each is `webhooks-<name>`. */
export const frameworkNames = [
  'node',
  'express',
  'fastify',
  'koa',
  'hono',
  'nestjs',
  'nextjs',
  'aws-lambda',
  'cloudflare',
] as const;

export type FrameworkName = (typeof frameworkNames)[number];

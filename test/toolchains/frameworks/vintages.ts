import { frameworks } from '../../../generator/targets/printing/frameworks.ts';

type Versions = Readonly<Record<string, string>>;

/** Versions of frameworks that an application could have together. */
export interface Vintage {
  readonly name: string;
  /** The framework's own version, by its name in the matrix. */
  readonly frameworks: Versions;
  /** Everything that is installed besides the packages of this repository. */
  readonly packages: Versions;
}

/** The name of each framework in the matrix, and its npm package. */
export const frameworkPackages: Versions = Object.fromEntries(
  Object.values(frameworks).flatMap(({ title, peers, optionalPeers }) => {
    const { '@types/node': _, ...imported } = { ...peers, ...optionalPeers };
    const name = Object.keys(imported).at(-1);
    return name === undefined ? [] : [[title, name]];
  }),
);

/** The oldest and the newest version of every major version that the packages admit. */
export const vintages: readonly Vintage[] = [
  vintage('the oldest that are admitted', {
    express: '4.17.0',
    '@types/express': '4.17.0',
    '@types/express-serve-static-core': '4.17.43',
    fastify: '4.0.0',
    koa: '2.13.0',
    '@types/koa': '2.13.0',
    hono: '4.0.0',
    '@hono/node-server': '1.13.0',
    ...nest('10.2.0'),
    rxjs: '7.1.0',
    'reflect-metadata': '0.1.12',
    next: '15.0.0',
    react: '18.2.0',
    'react-dom': '18.2.0',
    '@types/react': '18.2.0',
    '@types/node': '18.0.0',
  }),
  vintage('the last of the previous major versions', {
    express: '4.22.3',
    '@types/express': '4.17.25',
    fastify: '4.29.1',
    koa: '2.16.4',
    '@types/koa': '2.15.0',
    hono: '4.13.19',
    ...nest('10.4.22'),
    rxjs: '7.8.2',
    'reflect-metadata': '0.2.2',
    next: '15.5.29',
    react: '19.3.1',
    'react-dom': '19.3.1',
    '@types/react': '19.3.0',
    '@types/node': '20.19.43',
  }),
  vintage('the first of the current major versions', {
    express: '5.0.0',
    '@types/express': '5.0.0',
    fastify: '5.0.0',
    koa: '3.0.0',
    '@types/koa': '3.0.0',
    hono: '4.6.0',
    '@hono/node-server': '1.13.0',
    ...nest('11.2.8'),
    rxjs: '7.8.2',
    'reflect-metadata': '0.2.2',
    next: '16.0.0',
    react: '19.2.0',
    'react-dom': '19.2.0',
    '@types/react': '19.2.0',
    '@types/node': '22.0.0',
  }),
  vintage('the newest', {
    express: '5.3.0',
    '@types/express': '5.0.6',
    fastify: '5.12.8',
    koa: '3.3.0',
    '@types/koa': '3.0.3',
    hono: '4.13.19',
    ...nest('12.5.1', '12.5.0'),
    rxjs: '7.8.2',
    'reflect-metadata': '0.2.2',
    next: '16.4.5',
    react: '19.3.1',
    'react-dom': '19.3.1',
    '@types/react': '19.3.0',
    '@types/node': '26.6.6',
  }),
];

function vintage(name: string, packages: Versions): Vintage {
  const frameworks = Object.entries(frameworkPackages).map(
    ([framework, npmName]) => [framework, packages[npmName] ?? ''] as const,
  );
  return { name, frameworks: Object.fromEntries(frameworks), packages };
}

function nest(version: string, platforms = version): Versions {
  return {
    '@nestjs/common': version,
    '@nestjs/core': version,
    '@nestjs/platform-express': platforms,
    '@nestjs/platform-fastify': platforms,
  };
}

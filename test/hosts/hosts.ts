import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteName } from './run-suite.ts';

/** A host that receivers are tried on. */
export interface Host {
  readonly name: string;
  /** Its application, below `hosted/`. */
  readonly folder: string;
  /** The section of the document whose recipes are written into the application. */
  readonly section: string;
  /** How many of the section's recipes are written: the first is the receiver, settings follow it. All by default. */
  readonly recipes?: number;
  /** Where the recipe looks for the receiver. */
  readonly webhooks: string;
  /** Where the framework looks for the route `/beside`, if that has the text that several share. */
  readonly beside?: string;
  /** The recipe that is also mounted at the root, by its text; applications of files have a route for that. */
  readonly moved?: string;
  /** What builds the application: a script of an installed package and its arguments. */
  readonly build?: readonly [string, ...string[]];
  /** What writes the types that the recipe imports, where the build does not. */
  readonly typegen?: readonly [string, ...string[]];
  /** Whether the build loads the route, and so makes the receiver. */
  readonly isLoadedByBuild?: boolean;
  /** The recipe whose default export is a Worker. */
  readonly worker?: string;
  /** Of its own process: the command before the script. */
  readonly command?: () => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly suites: readonly SuiteName[];
  /** Rules that do not hold here, by name: how they fail, and why. */
  readonly exceptions?: Readonly<Record<string, readonly [error: string, why: string]>>;
}

/** Where the hosts are installed. */
export const installation: string = join(import.meta.dirname, 'node_modules');

const undecodable = 'the path: with an encoding that is none is answered with 404';
const undecodableAuthentic = 'the path: an authentic delivery below /hook/%zz reaches onInvalid';
const refusingUndecodable: Host['exceptions'] = {
  [undecodable]: ['expected 400 to be 404', 'it refuses the path'],
  [undecodableAuthentic]: [
    'expected [ 400, [], [] ] to match object [ 404, [], …(1) ]',
    'it refuses the path',
  ],
};
const redirectingSlash: Host['exceptions'] = {
  'a secret in the path authenticates, and reaches no handler, record or response': [
    "expected [ '/', 308 ] to deeply equal [ '/', 200 ]",
    'it redirects to the path without the slash at the end',
  ],
};
const framework: readonly SuiteName[] = ['recipe', 'beside', 'settled', 'conformance'];
const platform: readonly SuiteName[] = ['recipe', 'settled', 'conformance'];

/** Every host of the document, and those with a check of their own also without the settings against it. */
export const hosts: readonly Host[] = [
  {
    name: 'Next.js',
    folder: 'next',
    section: 'Next.js',
    webhooks: 'webhooks.ts',
    beside: 'app/beside/route.ts',
    build: ['next/dist/bin/next', 'build'],
    isLoadedByBuild: true,
    suites: [...framework, 'generated'],
    exceptions: {
      ...redirectingSlash,
      'the path: with // inside the label is answered with 404': [
        'expected 308 to be 404',
        'it redirects to the path with one slash',
      ],
      'the path: with // before the URL is answered with 404': [
        'expected 308 to be 404',
        'it redirects to the path with one slash',
      ],
      'the path: with /// is answered with 404': [
        'expected 308 to be 404',
        'it redirects to the path with one slash',
      ],
      'JSON that is refused for its path reaches onInvalid: {"path":"/hook///v1/apm/pix/charges"}':
        [
          'expected [ 308, [], +0 ] to deeply equal [ 404, [], 1 ]',
          'it redirects to the path with one slash',
        ],
      [undecodable]: ['expected 500 to be 404', 'it fails to decode the path'],
      [undecodableAuthentic]: [
        'expected [ 500, [], [] ] to match object [ 404, [], …(1) ]',
        'it fails to decode the path',
      ],
      'the path: an authentic delivery below //hook reaches onInvalid': [
        'expected [ 308, [], [] ] to match object [ 404, [], …(1) ]',
        'it redirects to the path with one slash',
      ],
    },
  },
  {
    name: 'SvelteKit without its check',
    folder: 'sveltekit',
    section: 'SvelteKit',
    recipes: 2,
    webhooks: 'src/lib/server/webhooks.ts',
    beside: 'src/routes/beside/+server.ts',
    build: ['vite/bin/vite.js', 'build'],
    env: { BODY_SIZE_LIMIT: '2M' },
    suites: framework,
    exceptions: { ...redirectingSlash, ...refusingUndecodable },
  },
  {
    name: 'SvelteKit with the check of the recipe',
    folder: 'sveltekit',
    section: 'SvelteKit',
    webhooks: 'src/lib/server/webhooks.ts',
    beside: 'src/routes/beside/+server.ts',
    build: ['vite/bin/vite.js', 'build'],
    suites: ['recipe', 'beside', 'settled', 'checked'],
  },
  {
    name: 'SvelteKit as it comes',
    folder: 'sveltekit',
    section: 'SvelteKit',
    recipes: 1,
    webhooks: 'src/lib/server/webhooks.ts',
    beside: 'src/routes/beside/+server.ts',
    build: ['vite/bin/vite.js', 'build'],
    isLoadedByBuild: true,
    suites: ['recipe', 'beside', 'unsettled', 'checked'],
  },
  {
    name: 'Astro without its check',
    folder: 'astro',
    section: 'Astro',
    recipes: 2,
    webhooks: 'src/webhooks.ts',
    build: ['astro/bin/astro.mjs', 'build'],
    suites: framework,
  },
  {
    name: 'Astro with the check of the recipe',
    folder: 'astro',
    section: 'Astro',
    webhooks: 'src/webhooks.ts',
    build: ['astro/bin/astro.mjs', 'build'],
    suites: ['recipe', 'beside', 'settled', 'checked'],
  },
  {
    name: 'Astro as it comes',
    folder: 'astro',
    section: 'Astro',
    recipes: 1,
    webhooks: 'src/webhooks.ts',
    build: ['astro/bin/astro.mjs', 'build'],
    suites: ['recipe', 'beside', 'unsettled', 'checked'],
  },
  {
    name: 'React Router',
    folder: 'react-router',
    section: 'React Router',
    webhooks: 'app/webhooks.ts',
    build: ['@react-router/dev/bin.cjs', 'build'],
    typegen: ['@react-router/dev/bin.cjs', 'typegen'],
    suites: framework,
  },
  {
    name: 'Nitro',
    folder: 'nitro',
    section: 'Nitro',
    webhooks: 'webhooks.ts',
    build: ['nitro/dist/cli/index.mjs', 'build'],
    suites: framework,
  },
  {
    name: 'H3',
    folder: 'h3',
    section: 'H3',
    webhooks: 'webhooks.ts',
    moved: 'h3.ts',
    suites: framework,
    exceptions: refusingUndecodable,
  },
  {
    name: 'Hono on Node',
    folder: 'hono',
    section: 'Hono',
    webhooks: 'webhooks.ts',
    moved: 'hono.ts',
    suites: framework,
  },
  {
    name: 'Elysia on Bun',
    folder: 'elysia',
    section: 'Elysia',
    webhooks: 'webhooks.ts',
    moved: 'elysia.ts',
    command: bun,
    suites: framework,
  },
  {
    name: 'Bun',
    folder: 'bun',
    section: 'Bun and Deno',
    webhooks: 'webhooks.ts',
    command: bun,
    suites: framework,
  },
  {
    name: 'Deno',
    folder: 'deno',
    section: 'Bun and Deno',
    webhooks: 'webhooks.ts',
    command: deno,
    suites: platform,
  },
  {
    name: 'Cloudflare Workers',
    folder: 'workers',
    section: 'Bun and Deno',
    webhooks: 'webhooks.ts',
    worker: 'adapter.ts',
    suites: platform,
  },
  {
    name: 'Cloudflare Workers by their default export',
    folder: 'workers',
    section: 'Bun and Deno',
    webhooks: 'webhooks.ts',
    worker: 'server.ts',
    suites: platform,
    exceptions: {
      'the end of a handler that ran out of time is recorded later, and a failure is handled again':
        ['expected 1 to be 2 // Object.is equality', 'nothing goes on after the answer'],
      'a claim that does not come in time is answered with 503, never handled, and given back when it comes':
        ['expected +0 to be 1 // Object.is equality', 'nothing goes on after the answer'],
    },
  },
  {
    name: 'Cloudflare Workers by the generated package',
    folder: 'workers',
    section: 'Bun and Deno',
    webhooks: 'webhooks.ts',
    worker: 'generated.ts',
    suites: ['generated'],
  },
];

function bun(): readonly string[] {
  return [binary('@oven/bun-*/bin/bun'), '--no-install'];
}

function deno(): readonly string[] {
  const permissions = ['net=127.0.0.1', 'env', 'read', 'write'].map((name) => `--allow-${name}`);
  return [binary('@deno/*/deno'), 'run', '--no-remote', '--no-check', ...permissions];
}

/** A binary that a platform's own npm package carries. */
function binary(pattern: string): string {
  const [path] = globSync(join(installation, pattern));
  if (path === undefined) throw new Error(`There is no runtime at ${pattern}.`);
  return path;
}

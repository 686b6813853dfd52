import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Violation } from '../../generated/contract/src/validation.ts';
import type { Json } from '../../generator/json/json.ts';
import type { WebhooksModule } from '../packages/runtime/webhooks/generated-webhooks.ts';
import type { NamedExample } from './generate-document.ts';
import type { CorpusDeliveries, CorpusDelivery } from './make-deliveries.ts';
import type { Judged, Reached } from './record.ts';

/**
 * Imports every validator and the entries of the packages of a project, runs its examples, and sends a delivery of each
 * notification to its receiver; writes `judged.json`.
 */
const [project = ''] = process.argv.slice(2);
const packages = join(project, 'packages');
const failures: string[] = [];

const validators = new Set<string>();
for (const file of await filesOf('contract/runtime')) {
  if (!/^validators.*\.js$/u.test(file)) continue;
  for (const name of Object.keys((await load(`contract/runtime/${file}`)) ?? {}))
    validators.add(name);
}
const guards: Readonly<Record<string, unknown>> = (await load('contract/src/index.ts')) ?? {};

let loaded = 0;
for (const name of ['contract', 'client', 'webhooks']) {
  if (!existsSync(join(packages, name))) continue;
  if ((await load(`${name}/src/index.ts`)) !== undefined) loaded += 1;
}

const examples = JSON.parse(
  await readFile(join(project, 'examples.json'), 'utf8'),
) as readonly NamedExample[];
let accepted = 0;
const refused: string[] = [];
for (const { of, typeName, value } of examples) {
  if (typeName === '') {
    refused.push(`${of}: the contract has no such notification`);
    continue;
  }
  const validate = guards[`validate${typeName}`];
  if (typeof validate !== 'function') {
    failures.push(`there is no validate${typeName}`);
    continue;
  }
  const violations = attempt(() => validate(value) as readonly Violation[]);
  if (typeof violations === 'string') failures.push(`validate${typeName}: ${violations}`);
  else if (violations.length === 0) accepted += 1;
  else if (refused.length < 20) refused.push(`${of}: ${describe(violations)}`);
}

const reached = await deliverAll();
const judged: Judged = {
  validators: validators.size,
  packages: loaded,
  failures: failures.slice(0, 20),
  examples: examples.length,
  accepted,
  refused,
  ...(reached === undefined ? {} : { reached }),
};
await writeFile(join(project, 'judged.json'), JSON.stringify(judged));

/** Sends each notification until its handler, or that of a union with it, is called. */
async function deliverAll(): Promise<Reached | undefined> {
  const { options, handlers, deliveries } = JSON.parse(
    await readFile(join(project, 'deliveries.json'), 'utf8'),
  ) as CorpusDeliveries;
  if (deliveries.length === 0) return undefined;
  const receiver = (await load('webhooks/src/index.ts')) as WebhooksModule | undefined;
  if (receiver === undefined) return undefined;
  let ownHandlers = 0;
  let unions = 0;
  const unmade: string[] = [];
  const missed: string[] = [];
  for (const delivery of deliveries) {
    const { of, typeName, payloads } = delivery;
    const validate = guards[`validate${typeName}`];
    const validPayloads = payloads.filter((payload) => {
      const violations = typeof validate === 'function' && attempt(() => validate(payload));
      return Array.isArray(violations) && violations.length === 0;
    });
    const outcomes: string[] = [];
    for (const payload of validPayloads) {
      const outcome = await deliver(receiver, { options, handlers }, delivery, payload);
      outcomes.push(outcome);
      if (delivery.handlers.includes(outcome)) break;
    }
    const last = outcomes.at(-1);
    if (last === undefined) unmade.push(of);
    else if (last === delivery.handlers[0]) ownHandlers += 1;
    else if (delivery.handlers.includes(last)) unions += 1;
    else missed.push(`${of}: ${[...new Set(outcomes)].join(', ')}`);
  }
  return {
    notifications: deliveries.length,
    handlers: ownHandlers,
    unions,
    unmade,
    missed: missed.slice(0, 20),
  };
}

/** The name of the handler that was called, or what the receiver did instead. */
async function deliver(
  { createWebhooks, unauthenticated }: WebhooksModule,
  { options, handlers }: Pick<CorpusDeliveries, 'options' | 'handlers'>,
  { method, path, headers }: CorpusDelivery,
  payload: Json,
): Promise<string> {
  const called: string[] = [];
  // A new receiver for each kind: equal payloads of two kinds are not repetitions.
  const { fetch } = createWebhooks({
    ...options,
    authenticate: unauthenticated(),
    on: Object.fromEntries(handlers.map((name) => [name, () => called.push(name)])),
    otherwise: () => called.push('of no kind'),
    onInvalid: () => called.push('invalid'),
  });
  try {
    const body = JSON.stringify(payload);
    const url = new URL(path === '' ? '/' : path, 'http://127.0.0.1');
    const { status } = await fetch(new Request(url, { method, headers, body }));
    return called.length === 0 ? `status ${status}` : called.join(' and ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(join(packages, folder))).toSorted();
  } catch {
    return [];
  }
}

async function load(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const url = pathToFileURL(join(packages, path)).href;
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    failures.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function attempt<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function describe(violations: readonly Violation[]): string {
  const shown = violations
    .slice(0, 3)
    .map(({ pointer, message }) => `${pointer === '' ? 'the value' : pointer} ${message}`);
  const more = violations.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`.slice(0, 400);
}

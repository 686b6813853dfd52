import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as main from '@instant-payment/webhooks';
import * as testing from '@instant-payment/webhooks/testing';
import type { Contract } from '../../../generator/contract/contract.ts';
import type { Receive } from '../../../packages/runtime/webhooks/receiver.ts';
import { hosts } from '../../hosts/hosts.ts';
import { adapters } from '../../packages/runtime/webhooks/adapters.ts';
import { rules } from '../../packages/runtime/webhooks/conformance.ts';
import type { ImportedWebhooks } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { listen } from '../../packages/runtime/webhooks/listen.ts';
import { Workbench, type Adapter } from '../../packages/runtime/webhooks/workbench.ts';

/** What failed, by the name of an adapter. */
export type Failures = Readonly<Record<string, readonly string[]>>;

const ruleMs = 60_000;

/** Runs every rule of the conformance suite behind every framework of this folder, and writes what failed. */
export async function runSuite(contract: Contract, report: string): Promise<void> {
  const imported = {
    contract,
    main,
    testing,
    folder: '',
    project: '',
    [Symbol.asyncDispose]: () => Promise.resolve(),
  } as ImportedWebhooks;
  const failures: Record<string, string[]> = {};
  for (const adapter of [...adapters, await nextAdapter()]) {
    const failed = (failures[adapter.name] = [] as string[]);
    for (const { name, needsPath = false, run } of rules) {
      if ((needsPath && !adapter.keepsPath) || adapter.exceptions?.[name] !== undefined) continue;
      const error = await errorOf(run(new Workbench(imported, adapter)));
      if (error !== undefined) failed.push(`${name}: ${error}`);
    }
  }
  await writeFile(report, JSON.stringify(failures));
  process.exit();
}

async function errorOf(running: Promise<void>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The rule ran out of time.')), ruleMs);
  });
  try {
    await Promise.race([running, timedOut]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The part of Next.js that its documentation shows for a server of one's own. */
type CreateNext = (options: { readonly dev: boolean; readonly dir: string }) => {
  prepare(): Promise<void>;
  getRequestHandler(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
};

/** The application in the folder `next`, as `next build` wrote it. Its route calls the receiver of the rule. */
async function nextAdapter(): Promise<Adapter> {
  const name: string = 'next';
  const { default: next } = (await import(name)) as { readonly default: CreateNext };
  const app = next({ dev: false, dir: 'next' });
  await app.prepare();
  const handle = app.getRequestHandler();
  const { exceptions = {} } = hosts.find((host) => host.name === 'Next.js') ?? {};
  const shared = ((globalThis as { toolchain?: { receive?: Receive } }).toolchain ??= {});
  return {
    name: 'Next.js',
    keepsPath: false,
    exceptions: Object.fromEntries(
      Object.entries(exceptions).map(([rule, [, reason]]) => [rule, reason] as const),
    ),
    serve(receive) {
      shared.receive = receive;
      return listen((request, response) => void handle(request, response));
    },
  };
}

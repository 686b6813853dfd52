import { expect } from 'vitest';
import type { Contract } from '../../generator/contract/contract.ts';
import type { Receive } from '../../packages/runtime/webhooks/receiver.ts';
import { rules, type Rule } from '../packages/runtime/webhooks/conformance.ts';
import { exchange } from '../packages/runtime/webhooks/exchange.ts';
import type {
  TestingModule,
  WebhooksModule,
} from '../packages/runtime/webhooks/generated-webhooks.ts';
import { Workbench, type Adapter } from '../packages/runtime/webhooks/workbench.ts';
import {
  besideRules,
  checkedRules,
  generatedRules,
  recipeRules,
  settledRules,
  unsettledRules,
} from './recipe-rules.ts';

/** The ports of an application; they may be one. */
export interface Ports {
  /** Where the recipe stands as the document has it. */
  readonly recipe: number;
  /** Where the recipe is mounted at the root, and every path is the receiver's. */
  readonly everywhere: number;
}

/** What became of a rule; no `error` where it holds. */
export interface Finding {
  readonly name: string;
  readonly error?: string;
}

/** The name of a list of rules. */
export type SuiteName =
  | 'recipe'
  | 'beside'
  | 'settled'
  | 'checked'
  | 'unsettled'
  | 'generated'
  | 'conformance';

/** What a host can be held to, and where. */
export const suites: Readonly<
  Record<SuiteName, { readonly at: keyof Ports; readonly rules: readonly Rule[] }>
> = {
  recipe: { at: 'recipe', rules: recipeRules },
  beside: { at: 'recipe', rules: besideRules },
  settled: { at: 'recipe', rules: settledRules },
  checked: { at: 'recipe', rules: checkedRules },
  unsettled: { at: 'recipe', rules: unsettledRules },
  generated: { at: 'recipe', rules: generatedRules },
  conformance: { at: 'everywhere', rules: rules.filter(({ needsPath }) => needsPath !== true) },
};

/** What the application in this process shares with its suite. */
interface Shared {
  main?: WebhooksModule;
  testing?: TestingModule;
  receive?: Receive;
}

const timeLimit = 30_000;

/** Runs suites on the host in this process, with the receiver as the host has built it. */
export async function runSuites(
  contract: Contract,
  ports: Ports,
  names: readonly SuiteName[],
): Promise<readonly Finding[]> {
  const shared = ((globalThis as { hosted?: Shared }).hosted ??= {});
  await load(shared, ports);
  const { main, testing } = shared;
  if (main === undefined || testing === undefined)
    throw new Error('The host has not loaded the receiver.');
  const nowhere = { folder: '', project: '', [Symbol.asyncDispose]: () => Promise.resolve() };
  const findings: Finding[] = [];
  for (const name of names) {
    const { at, rules } = suites[name];
    const bench = new Workbench({ contract, main, testing, ...nowhere }, onPort(shared, ports[at]));
    for (const rule of rules) findings.push({ name: rule.name, ...(await errorOf(rule, bench)) });
  }
  return findings;
}

/** Hosts load a route when its first request comes. */
async function load(shared: Shared, { recipe, everywhere }: Ports): Promise<void> {
  shared.receive = () => Promise.resolve({ reason: 'unauthentic', status: 401 });
  const nothing = new Uint8Array(0);
  for (const [port, path] of [
    [recipe, '/hooks'],
    [everywhere, '/hook'],
  ] as const) {
    const { status } = await exchange(port, 'POST', path, json, nothing, false);
    if (status !== 401) throw new Error(`The host answers ${path} with ${status}.`);
  }
}

const json = { 'content-type': 'application/json' };

function onPort(shared: Shared, port: number): Adapter {
  return {
    name: 'host',
    keepsPath: false,
    serve: (receive) => {
      shared.receive = receive;
      return Promise.resolve({ port, [Symbol.asyncDispose]: () => Promise.resolve() });
    },
  };
}

async function errorOf({ run }: Rule, bench: Workbench): Promise<{ error?: string }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The rule ran out of time.')), timeLimit);
  });
  try {
    await Promise.race([run(bench), late]);
    expect(Object.prototype).not.toHaveProperty('polluted');
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

import { readFileSync } from 'node:fs';
import type { Config } from '../generator/config/config.ts';
import { readContract } from '../generator/generate.ts';
import { frameworks } from '../generator/targets/printing/frameworks.ts';
import { emitStubs } from '../generator/targets/stubs/emit-stubs.ts';
import type { TargetContext } from '../generator/targets/target.ts';
import { eventsOf } from '../generator/contract/events.ts';

/** Reads and plans the contract of this folder, and loads ts-morph. With the argument `emit`, it also emits the stubs of all packages. */
const config = JSON.parse(readFileSync('countersign.config.json', 'utf8')) as Config;
const { contract } = await readContract(config, process.cwd());
if (contract === undefined) throw new Error('The contract has errors.');
eventsOf(contract);
await import('ts-morph');
if (process.argv[2] === 'emit') {
  const context: TargetContext = {
    scope: '@bench',
    packageVersions: {},
    packageNames: {},
    options: {},
    render: () => '',
  };
  const receiver = { fileName: 'receiver', title: 'the receiver', name: 'createReceiver' };
  const forms = [
    ['webhooks', { ...receiver, factory: 'createWebhooks' }] as const,
    ...Object.entries(frameworks).map(
      ([name, { stub, maker }]) =>
        [`webhooks-${name}`, stub === 'providers' ? stub : { ...stub, factory: maker }] as const,
    ),
  ];
  let characters = 0;
  for (const [target, form] of forms)
    for await (const { text } of emitStubs(contract, context, target, form))
      characters += text.length;
  if (characters === 0) throw new Error('There are no stubs.');
}

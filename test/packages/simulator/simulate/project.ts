import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Config } from '../../../../generator/config/config.ts';
import type { Progress } from '../../../../generator/execution/progress.ts';
import type { ContractFiles } from '../../../../generator/load/contract-files.ts';
import {
  loadService,
  type LoadedService,
} from '../../../../packages/simulator/src/simulate/load-service.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';

/** Makes an empty project that has a folder for caches. */
export async function createCachedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  return folder;
}

/** Returns a configuration for the contract of some files. */
export function configure(contract: ContractFiles): Config {
  return {
    contract,
    scope: '@simulated-in-tests',
    output: 'generated',
    targets: ['contract', 'simulator'],
  };
}

/** Loads the service of some files, which are relative to the folder or absolute; returns the steps it reported. */
export async function load(
  folder: string,
  { openapi, asyncapi, overlays = [], workflows = [] }: ContractFiles,
): Promise<LoadedService & { readonly steps: readonly Progress[] }> {
  const steps: Progress[] = [];
  const place = (path: string): string => (path.startsWith('/') ? relative(folder, path) : path);
  const config = configure({
    ...(openapi === undefined ? {} : { openapi: place(openapi) }),
    ...(asyncapi === undefined ? {} : { asyncapi: place(asyncapi) }),
    overlays: overlays.map(place),
    workflows: workflows.map(place),
  });
  return { ...(await loadService(config, folder, (step) => void steps.push(step))), steps };
}

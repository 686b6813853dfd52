import { fileURLToPath } from 'node:url';
import type { Service } from '@countersign/simulator';
import { loadConfig } from '../generator/config/load-config.ts';
import { loadService } from '../packages/simulator/src/simulate/load-service.ts';

/** The folder of the contract with signed GET and POST operations. */
export const ferry: string = fileURLToPath(
  new URL('../test/packages/simulator/ferry/', import.meta.url),
);

/** Loads the service of a contract for measurements. */
export async function loadFerry(): Promise<Service> {
  const { configs, folder } = await loadConfig(ferry, undefined);
  const [config] = configs;
  if (config === undefined) throw new Error('The configuration has no contract.');
  const loaded = await loadService(config, folder, () => undefined);
  if (loaded.service !== undefined) return loaded.service;
  throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
}

import { resolve } from 'node:path';
import type { Service } from '../service.ts';
import type { Invocation, ScopeOption } from 'countersign/companion/command';
import {
  createProgressLine,
  loadConfig,
  showDiagnostics,
} from 'countersign/companion/configuration';
import { toFile } from 'countersign/companion/paths';
import { createInvalidError, selectConfig } from 'countersign/companion/options';
import type { FurtherFiles } from './simulate-options.ts';

/** The service of one contract, and the folder of its configuration. */
interface OneService {
  readonly service: Service;
  readonly folder: string;
}

/**
 * Loads the service that the one contract of the configuration describes.
 * @param further files that are relative to the working folder, not to that of the configuration
 * @throws CommandError `usage` if no single contract is selected, `invalid-contract` if it has errors
 */
export async function loadOneService(
  invocation: Invocation<ScopeOption>,
  further: FurtherFiles,
): Promise<OneService> {
  const { command, flags, terminal } = invocation;
  const loaded = await loadConfig(terminal.folder, flags.config);
  const { folder } = loaded;
  const config = selectConfig(loaded, invocation);
  const { contract } = config;
  const place = (path: string): string => toFile(folder, resolve(terminal.folder, path));
  const extended = {
    ...config,
    contract: {
      ...contract,
      overlays: [...(contract.overlays ?? []), ...further.overlays.map(place)],
      workflows: [...(contract.workflows ?? []), ...further.workflows.map(place)],
    },
  };
  const { loadService } = await import('./load-service.ts');
  const progress = createProgressLine(terminal, flags);
  const result = await loadService(extended, folder, (step) => progress.show(step)).finally(() =>
    progress.clear(),
  );
  const { service, diagnostics, files } = result;
  if (!flags.json) await showDiagnostics(diagnostics, files, flags, terminal, folder);
  if (service !== undefined) return { service, folder };
  throw createInvalidError(command);
}

import { BaseResolver, createConfig, type Config, type Source } from '@redocly/openapi-core';

/**
 * Creates a configuration of Redocly from the given settings only. Redocly runs `@theme/plugin.js` from the folder of
 * the configuration file. Without such a file this is the working directory, whose code must not run.
 */
export async function createRedoclyConfig(
  config: NonNullable<Exclude<Parameters<typeof createConfig>[0], string>>,
): Promise<Config> {
  return await createConfig(config, { configPath: import.meta.filename });
}

/** Resolves no references to files: a bundled document needs no other file. */
export class ClosedResolver extends BaseResolver {
  override loadExternalRef(path: string): Promise<Source> {
    return Promise.reject(new Error(`\`${path}\` is not part of the document.`));
  }
}

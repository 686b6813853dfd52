import { createConfig, type Config } from '@redocly/openapi-core';

/**
 * Creates a configuration of Redocly from the given settings only. Redocly runs `@theme/plugin.js` from the folder of
 * the configuration file. Without such a file this is the working directory, whose code must not run.
 */
export async function createRedoclyConfig(
  config: NonNullable<Exclude<Parameters<typeof createConfig>[0], string>>,
): Promise<Config> {
  return await createConfig(config, { configPath: import.meta.filename });
}

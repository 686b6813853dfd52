import { createConfig, type Config } from '@redocly/openapi-core';

/**
 * A configuration of Redocly that is nothing but what it is given. Redocly runs `@theme/plugin.js` of the folder that a
 * configuration lies in; without one that is the working directory, whose code nobody asked for.
 */
export async function createRedoclyConfig(
  config: NonNullable<Exclude<Parameters<typeof createConfig>[0], string>>,
): Promise<Config> {
  return await createConfig(config, { configPath: import.meta.filename });
}

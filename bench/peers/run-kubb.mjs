// Runs kubb on a document, configured for types, a client and validators: node run-kubb.mjs <document> <folder>
import { safeBuild, defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';

const [document, folder] = process.argv.slice(2);
const config = defineConfig({
  root: '.',
  input: { path: document },
  output: { path: folder, clean: true },
  plugins: [
    pluginOas({ validate: false }),
    pluginTs(),
    pluginClient({ client: 'fetch' }),
    pluginZod(),
  ],
});
const { error, failedPlugins } = await safeBuild({ config });
if (error !== undefined) throw error;
for (const failed of failedPlugins) throw failed.error;

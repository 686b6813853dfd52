import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../../../generator/contract/contract.ts';
import { readContract } from '../../client/emit-client.ts';
import { repository } from '../../emit-project.ts';
import type { WebhooksDocument } from './to-overlay.ts';

const require = createRequire(import.meta.url);

/** The OpenAPI document of the service's webhooks, absolute. */
export const documentFile: string =
  require.resolve('@octokit/openapi-webhooks/generated/api.github.com.json');

/** What the document says. */
export async function readDocument(): Promise<WebhooksDocument> {
  return JSON.parse(await readFile(documentFile, 'utf8')) as WebhooksDocument;
}

/** What of it its readers are expected to know: an OpenAPI Overlay, absolute. */
export const overlayFile: string = fileURLToPath(new URL('overlay.yaml', import.meta.url));

/** The contract that both make together. */
export async function readWebhooks(): Promise<Contract> {
  return await readContract({
    openapi: relative(repository, documentFile),
    overlays: [relative(repository, overlayFile)],
  });
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WebhooksDocument } from './to-overlay.ts';

const require = createRequire(import.meta.url);

/** The OpenAPI document of the service's webhooks, absolute. */
export const documentFile: string =
  require.resolve('@octokit/openapi-webhooks/generated/api.github.com.json');

/** What the document says. */
export async function readDocument(): Promise<WebhooksDocument> {
  return JSON.parse(await readFile(documentFile, 'utf8')) as WebhooksDocument;
}

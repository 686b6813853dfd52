import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Catalogue } from '../../../packages/runtime/webhooks/receiver.ts';
import type { GeneratedWebhooks } from './emit-webhooks.ts';

/** Returns the catalogue of a generated receiver without open questions. */
export async function toCatalogueOf({ webhooks }: GeneratedWebhooks): Promise<Catalogue> {
  const path = pathToFileURL(join(webhooks, 'src/catalogue.ts')).href;
  const module = (await import(path)) as { readonly toCatalogue: () => Catalogue };
  return module.toCatalogue();
}

import { join } from 'node:path';
import { rendererOf } from 'countersign/companion/application';
import type { Render } from 'countersign/companion/printing';

const root = join(import.meta.dirname, '../templates');

/** Returns the function that renders the templates of new projects or of new applications. */
export async function rendererFor(name: 'init' | 'scaffold'): Promise<Render> {
  return await rendererOf({ name, templates: join(root, name) });
}

import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { readDocument } from './read-document.ts';
import { toOverlay } from './to-overlay.ts';

/** `node test/targets/webhooks/octokit/write-overlay.ts`: writes the overlay anew, for a reviewer to read. */
await writeFile(
  new URL('overlay.yaml', import.meta.url),
  stringify(toOverlay(await readDocument()), { lineWidth: 0, singleQuote: true }),
);

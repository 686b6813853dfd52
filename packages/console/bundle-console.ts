import { bundlePage } from './bundle-page.ts';

/** Bundles the page of an inbox's console. */
export async function bundleConsole(): Promise<ReadonlyMap<string, string>> {
  return await bundlePage({
    title: 'Inbox',
    script: new URL('inbox-page/main.tsx', import.meta.url),
    style: new URL('inbox-page/style.css', import.meta.url),
  });
}

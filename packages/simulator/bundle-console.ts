import { bundlePage } from '../console/bundle-page.ts';

/** Bundles the page of the simulator's console. */
export async function bundleConsole(): Promise<ReadonlyMap<string, string>> {
  return await bundlePage({
    title: 'Simulator',
    script: new URL('console/main.tsx', import.meta.url),
    style: new URL('console/style.css', import.meta.url),
  });
}

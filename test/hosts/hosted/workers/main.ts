import recipe from 'hosted-recipe';
import { run } from 'hosted-suite';

/** The Worker of the recipe; its schedule is the suite. */
export default {
  ...recipe,
  async scheduled(_controller: unknown, env: { readonly WIRE: Fetcher; readonly SUITES: string }) {
    globalThis.wire = env.WIRE;
    const findings = await run({ recipe: 0, everywhere: 0 }, env.SUITES.split(','));
    await env.WIRE.fetch('http://wire/report', { method: 'POST', body: JSON.stringify(findings) });
  },
};

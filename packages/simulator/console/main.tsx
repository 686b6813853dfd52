import { render } from 'preact';
import { callApi, messageOf, openSession } from '../../console/components/api.ts';
import { App } from './app.tsx';
import type { ServiceOverview } from './types.ts';

const host = document.getElementById('console');
if (host !== null) void boot(host);

async function start(element: HTMLElement): Promise<void> {
  await openSession();
  const service = await callApi<ServiceOverview>('GET', 'description');
  document.title = `${service.title} · simulator`;
  render(<App service={service} />, element);
}

async function boot(element: HTMLElement): Promise<void> {
  try {
    await start(element);
  } catch (error) {
    render(
      <main class="refused">
        <h1>Simulator</h1>
        <p class="problem" role="alert">
          {messageOf(error)}
        </p>
      </main>,
      element,
    );
  }
}

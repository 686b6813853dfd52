import { render } from 'preact';
import { callApi, messageOf, openSession } from '../components/api.ts';
import { InboxApp } from './inbox-app.tsx';
import type { InboxDescription } from './types.ts';

const host = document.getElementById('console');
if (host !== null) void boot(host);

async function boot(element: HTMLElement): Promise<void> {
  try {
    await openSession();
    const inbox = await callApi<InboxDescription>('GET', 'inbox');
    document.title = `${inbox.name} · inbox`;
    render(<InboxApp inbox={inbox} />, element);
  } catch (error) {
    render(
      <main class="refused">
        <h1>Inbox</h1>
        <p class="problem" role="alert">
          {messageOf(error)}
        </p>
      </main>,
      element,
    );
  }
}

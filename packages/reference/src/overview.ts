import { groupByState } from 'countersign/companion/contract';
import type { Notification, Operation } from 'countersign/kit';
import { html, inline, prose, type Html } from './html.ts';
import { label, noteList, sourceLinks, type Page } from './page.ts';

/** Renders the description of the contract, with its calls and notifications side by side. */
export function overview(page: Page): Html {
  const { contract } = page;
  const { info, operations, notifications, messages, schemas, unstated } = contract;
  const states = new Map(groupByState(unstated));
  const figures = [
    [operations, 'call', 'calls'],
    [notifications, 'notification', 'notifications'],
    [messages, 'message', 'messages'],
    [schemas, 'schema', 'schemas'],
    [states.get('open') ?? [], 'open question', 'questions'],
    [states.get('assumed') ?? [], 'assumed', 'questions'],
  ] as const;
  const shown = figures
    .filter(([{ length }]) => length > 0)
    .map(([{ length }, noun, section]) => {
      const words = length === 1 || noun === 'assumed' ? noun : `${noun}s`;
      return html`<a class="figure" href="#${section}"><b>${length}</b> ${words}</a>`;
    });
  const servers = info.servers.map(
    (server) =>
      html`<li>
        <code>${server.url}</code>
        ${inline(server.description)}${noteList(server.notes)}
      </li>`,
  );
  return html`<section id="overview" class="part overview" aria-labelledby="overview-title">
    <p class="version">
      Version
      ${info.version}${info.license === undefined ? undefined : html` · ${info.license.name}`}${info.sourceDocument === undefined ? undefined : html` · after <cite>${info.sourceDocument}</cite>`}
      ${sourceLinks(page, info.source)}
    </p>
    <h1 id="overview-title">${info.title}</h1>
    ${info.summary === undefined ? undefined : html`<p class="tagline">${inline(info.summary)}</p>`}
    ${prose(info.description)}${noteList(info.notes)}
    ${prose(info.notifications?.description)}${noteList(info.notifications?.notes)}
    ${sourceLinks(page, info.notifications?.source ?? [])}
    <p class="figures-row">${shown}</p>
    ${
      servers.length === 0
        ? undefined
        : html`<ul class="servers">
            ${servers}
          </ul>`
    }
    ${board(page)}
  </section>`;
}

/** Renders calls and notifications side by side; empty for a large contract, whose navigation lists them. */
function board(page: Page): Html {
  const { operations, notifications } = page.contract;
  if (page.large) return html``;
  const { anchors } = page;
  const card = (
    anchor: string,
    { name, summary }: Operation | Notification,
    labelled: Html,
  ): Html =>
    html`<li>
      <a class="card" href="#${anchor}"
        ><span class="name">${name}</span> ${labelled}
        ${summary !== undefined && html`<span class="summary">${inline(summary)}</span>`}</a
      >
    </li>`;
  const calls = operations.map((it) =>
    card(anchors.of('call', it.id), it, plainLabel(it.method, it.path)),
  );
  const received = notifications.map((it) => {
    const labelled = plainLabel(it.label?.method ?? it.method, it.label?.path);
    return card(anchors.of('notification', it.id), it, labelled);
  });
  const column = (kind: string, title: string, hint: string, cards: readonly Html[]): Html =>
    html`<div class="side ${kind}">
      <h2>${title}</h2>
      <p class="hint">${hint}</p>
      ${
        cards.length === 0
          ? html`<p class="note">The contract states none.</p>`
          : html`<ul>
              ${cards}
            </ul>`
      }
    </div>`;
  return html`<div class="board">
    ${column('call', 'You call', 'your application → the service', calls)}${column('notification', 'You receive', 'the service → your application', received)}
  </div>`;
}

/** Renders a method and a path in one colour. */
function plainLabel(method = '', path: string | undefined): Html {
  if (path === undefined) return label(method, path);
  return html`<code class="label">${`${method} ${path}`.trim()}</code>`;
}

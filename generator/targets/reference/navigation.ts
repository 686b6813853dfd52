import type { Section } from './coverage.ts';
import { html, joinHtml, type Html } from './html.ts';
import { openCount } from './ledger.ts';
import type { Page } from './page.ts';

/** The table of contents: every call and notification, and the parts of the page. */
export function navigation({ contract, anchors }: Page, sections: readonly Section[]): Html {
  const { operations, notifications, security, schemas, unstated } = contract;
  const link = (anchor: string, text: Html | string): Html =>
    html`<li><a href="#${anchor}">${text}</a></li>`;
  const group = (kind: string, anchor: string, title: string, items: readonly Html[]): Html =>
    items.length === 0
      ? html``
      : html`<li class="group ${kind}">
          <a class="group-title" href="#${anchor}"
            >${title} <span class="count">${items.length}</span></a
          >
          <ul>
            ${items}
          </ul>
        </li>`;
  const single = (present: boolean, anchor: string, title: string, count: number): Html =>
    present
      ? html`<li class="group">
          <a class="group-title" href="#${anchor}">${title} <span class="count">${count}</span></a>
        </li>`
      : html``;
  return html`<ul>
    <li class="group"><a class="group-title" href="#overview">Overview</a></li>
    ${group(
      'call',
      'calls',
      'Calls',
      operations.map(({ id, name }) => link(anchors.of('call', id), breakable(name))),
    )}
    ${group(
      'notification',
      'notifications',
      'Notifications',
      notifications.map(({ id, name }) => link(anchors.of('notification', id), breakable(name))),
    )}
    ${group(
      '',
      'security',
      'Authentication',
      security.map(({ id }) => link(anchors.of('security', id), id)),
    )}
    ${single(unstated.length > 0, 'questions', 'Open questions', openCount(contract))}
    ${single(schemas.length > 0, 'schemas', 'Schemas', schemas.length)}
    ${single(sections.length > 0, 'coverage', 'Source coverage', sections.length)}
  </ul>`;
}

/** Lets a long identifier break where a word begins in it. */
function breakable(name: string): Html {
  return joinHtml(
    name.split(/(?<=\p{Ll})(?=\p{Lu})/u).map((part) => html`${part}`),
    '<wbr>',
  );
}

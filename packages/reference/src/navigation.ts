import type { Notification, Operation } from 'countersign/kit';
import type { Section } from './coverage.ts';
import { html, type Html } from './html.ts';
import type { Page } from './page.ts';
import { groupByTag, groupTitle } from './tags.ts';
import { workflowAnchor } from './workflows.ts';

/** Renders the table of contents: every call and notification, and the sections of the page. */
export function navigation(page: Page, sections: readonly Section[]): Html {
  const { contract, anchors, large } = page;
  const { operations, notifications, messages, workflows, security, schemas, unstated } = contract;
  const link = (anchor: string, text: Html | string): Html =>
    html`<li><a href="#${anchor}">${text}</a></li>`;
  const group = (
    kind: string,
    anchor: string,
    title: string,
    count: number,
    items: readonly Html[] = [],
  ): Html =>
    count === 0
      ? html``
      : html`<li class="${`group ${kind}`.trim()}">
          <a class="group-title" href="#${anchor}">${title} <span class="count">${count}</span></a>
          ${
            items.length > 0 &&
            html`<ul>
              ${items}
            </ul>`
          }
        </li>`;
  const tagged = <Item extends Operation | Notification>(
    kind: 'call' | 'notification',
    items: readonly Item[],
  ): readonly Html[] => {
    const groups = groupByTag(contract, items);
    const linked = (list: readonly Item[]): readonly Html[] =>
      list.map(({ id, name }) => link(anchors.of(kind, id), name));
    if (groups.every(({ tag }) => tag === undefined)) return linked(items);
    return groups.map(
      (group) =>
        html`<li>
          <details class="nav-group" ${large ? undefined : html` open`}>
            <summary>
              ${groupTitle(kind, group.tag)} <span class="count">${group.items.length}</span>
            </summary>
            <ul>
              ${linked(group.items)}
            </ul>
          </details>
        </li>`,
    );
  };
  const schemes = security.map(({ id }) => link(anchors.of('security', id), id));
  const received = tagged('notification', notifications);
  return html`<ul>
    <li class="group"><a class="group-title" href="#overview">Overview</a></li>
    ${group(
      '',
      'workflows',
      'Workflows',
      workflows.length,
      workflows.map((workflow) => link(workflowAnchor(page, workflow), workflow.id)),
    )}
    ${group('call', 'calls', 'Calls', operations.length, tagged('call', operations))}
    ${group('notification', 'notifications', 'Notifications', notifications.length, received)}
    ${group('', 'messages', 'Messages', messages.length)}
    ${group('', 'security', 'Authentication', security.length, schemes)}
    ${group('', 'questions', 'Questions', unstated.length)}
    ${group('', 'schemas', 'Schemas', schemas.length)}
    ${group('', 'coverage', 'Cited sections', sections.length)}
  </ul>`;
}

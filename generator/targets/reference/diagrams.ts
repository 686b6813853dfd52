import type { Contract, Notification, Operation } from '../../contract/contract.ts';
import { firstSentence, oneLine } from '../package/prose.ts';
import { html, type Html } from './html.ts';
import type { Page } from './page.ts';
import { drawSequence, type Step } from './sequence.ts';

/** How many messages of one sort a drawing shows; a longer list says how much more there is. */
const most = 6;
/** How many shared labels get a drawing of their own. */
const mostStages = 4;

/** What follows what, drawn: from the token to the notifications, and the notifications that share a label. */
export function diagrams(page: Page): Html {
  const { contract, anchors } = page;
  const service = oneLine(contract.info.title);
  const course = courseOf(page);
  const drawn =
    course.length === 0
      ? []
      : [drawSequence(anchors.of('diagram', 'course'), courseTitle(contract), service, course)];
  const shared = sharedLabels(contract).slice(0, mostStages);
  for (const [key, group] of shared) {
    const title = `${numberWord(group.length)} stages at ${key}`;
    drawn.push(drawSequence(anchors.of('diagram', key), title, service, stagesOf(page, group)));
  }
  if (drawn.length === 0) return html``;
  return html`<section id="sequence" class="part" aria-labelledby="sequence-title">
    <h2 id="sequence-title">What follows what</h2>
    <div class="sequences">${drawn}</div>
  </section>`;
}

function courseTitle({ security, notifications, operations }: Contract): string {
  const hasToken = security.some(({ accessToken }) => accessToken !== undefined);
  const stops = [
    ...(hasToken ? ['token'] : []),
    ...(hasToken || operations.length > 0 ? ['call'] : []),
    ...(notifications.length > 0 ? ['notification'] : []),
  ];
  return stops.join(' → ').replace(/^./u, (first) => first.toUpperCase());
}

function courseOf(page: Page): readonly Step[] {
  const { contract, anchors } = page;
  const issuing = contract.security.flatMap(({ accessToken }) =>
    accessToken === undefined ? [] : [accessToken.operation],
  );
  const tokens = contract.operations.filter(({ id }) => issuing.includes(id));
  const others = contract.operations.filter(({ id }) => !issuing.includes(id));
  const steps: Step[] = tokens.flatMap((operation) => exchange(page, operation));
  if (tokens.length > 0) {
    const carried = carriedBy(contract);
    steps.push({ kind: 'divider', text: `every other call: ${carried}` });
    if (others.length === 0) {
      steps.push({
        kind: 'message',
        direction: 'call',
        text: 'a call',
        note: 'The contract does not state any other call yet.',
      });
    }
  }
  for (const operation of others.slice(0, most)) steps.push(...exchange(page, operation));
  if (others.length > most)
    steps.push({ kind: 'divider', text: `and ${others.length - most} more calls` });
  if (contract.notifications.length === 0) return steps;
  if (steps.length > 0) steps.push({ kind: 'divider', text: 'later, when something has happened' });
  const groups = [...byLabel(contract.notifications)];
  for (const [key, group] of groups.slice(0, most + 2)) {
    const [first] = group;
    if (first === undefined) continue;
    steps.push({
      kind: 'message',
      direction: 'notification',
      text: first.label === undefined ? 'no label' : key,
      note: group.map(({ name }) => name).join(', '),
      anchor: anchors.of('notification', first.id),
    });
  }
  if (groups.length > most + 2) {
    steps.push({ kind: 'divider', text: `and ${groups.length - most - 2} more labels` });
  }
  return steps;
}

function exchange({ anchors }: Page, operation: Operation): readonly Step[] {
  const [response] = operation.responses;
  return [
    {
      kind: 'message',
      direction: 'call',
      text: `${operation.method} ${operation.path}`,
      note: firstSentence(operation.summary ?? operation.description ?? operation.name),
      anchor: anchors.of('call', operation.id),
    },
    ...(response === undefined
      ? []
      : [
          {
            kind: 'message',
            direction: 'answer',
            text: response.status,
            note: firstSentence(response.description),
          } as const,
        ]),
  ];
}

/** What makes a call authentic, in words. */
function carriedBy({ security, defaultSecurity = [] }: Contract): string {
  const usual = new Set(defaultSecurity[0]?.map(({ scheme }) => scheme));
  const used = security.filter(({ id }) => usual.size === 0 || usual.has(id));
  return used
    .map(({ id, accessToken, signature }) =>
      accessToken !== undefined ? 'access token' : signature !== undefined ? 'signature' : id,
    )
    .join(' + ');
}

function stagesOf({ anchors }: Page, group: readonly Notification[]): readonly Step[] {
  const steps = group.slice(0, most).flatMap((notification, index): readonly Step[] => [
    ...(index > 0
      ? [{ kind: 'divider', text: 'the same label; the body tells the stages apart' } as const]
      : []),
    {
      kind: 'message',
      direction: 'notification',
      text: notification.name,
      note: firstSentence(notification.summary ?? notification.description ?? ''),
      anchor: anchors.of('notification', notification.id),
    },
  ]);
  const rest = group.length - most;
  return rest > 0 ? [...steps, { kind: 'divider', text: `and ${rest} more` }] : steps;
}

function sharedLabels({ notifications }: Contract): readonly [string, readonly Notification[]][] {
  const labelled = notifications.filter((notification) => notification.label !== undefined);
  return [...byLabel(labelled)].filter(([, group]) => group.length > 1);
}

function byLabel(notifications: readonly Notification[]): Map<string, readonly Notification[]> {
  const groups = new Map<string, readonly Notification[]>();
  for (const notification of notifications) {
    const { label, name } = notification;
    const key =
      label === undefined
        ? `${name} without a label`
        : `${label.method ?? ''} ${label.path}`.trim();
    groups.set(key, [...(groups.get(key) ?? []), notification]);
  }
  return groups;
}

function numberWord(count: number): string {
  return ['', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'][count] ?? `${count}`;
}

import { describeChoice } from 'countersign/companion/deliveries';
import { firstSentence, oneLine } from 'countersign/companion/target';
import type { Contract, Notification, Operation, SecurityScheme } from 'countersign/kit';
import { html, type Html } from './html.ts';
import { part, type Page } from './page.ts';
import { drawSequence, type SequenceStep } from './sequence.ts';

/** The maximum number of messages in a diagram. A longer list ends with the number of the others. */
const maxMessages = 6;
/** The maximum number of shared labels that get a diagram. */
const maxLabels = 4;

/**
 * Draws the only relations that a contract states: an access token with the calls that carry it, and notifications that
 * share a label. A contract does not state in which order other messages are sent.
 */
export function diagrams(page: Page): Html {
  const { contract, anchors } = page;
  const service = oneLine(contract.info.title);
  const tokens = contract.security.flatMap((scheme) => {
    const steps = tokenSteps(page, scheme);
    if (steps.length === 0) return [];
    const title = `Access token: ${scheme.id}`;
    return [drawSequence(anchors.of('diagram', `token ${scheme.id}`), title, service, steps)];
  });
  const shared = sharedLabels(contract)
    .slice(0, maxLabels)
    .map(([key, group]) => {
      const title = `${group.length} notifications share ${key}`;
      return drawSequence(anchors.of('diagram', key), title, service, labelSteps(page, group));
    });
  const drawn = [...tokens, ...shared];
  if (drawn.length === 0) return html``;
  const body = html`<div class="sequences">${drawn}</div>`;
  return part('sequence', 'Sequences', undefined, undefined, body);
}

/** Returns the call that issues a token, and the calls that carry it. */
function tokenSteps(page: Page, { id, accessToken }: SecurityScheme): readonly SequenceStep[] {
  const { contract, anchors } = page;
  const issuing = contract.operations.find((operation) => operation.id === accessToken?.operation);
  if (issuing === undefined) return [];
  const steps = exchange(page, issuing);
  const carrying = contract.operations.filter(
    (operation) => operation !== issuing && requirementOf(operation.security, id) !== undefined,
  );
  const [first] = carrying;
  const requirement = requirementOf(first?.security ?? contract.defaultSecurity ?? [], id);
  if (requirement === undefined) return steps;
  const text =
    first === undefined
      ? 'every other call'
      : carrying.length === 1
        ? `${first.method} ${first.path}`
        : `${carrying.length} calls`;
  return [
    ...steps,
    { kind: 'divider', text: 'with the token' },
    {
      kind: 'message',
      direction: 'call',
      text,
      note: `authorized by ${requirement.map(({ scheme }) => scheme).join(' + ')}`,
      ...(first !== undefined && carrying.length === 1
        ? { anchor: anchors.of('call', first.id) }
        : {}),
    },
  ];
}

/** Returns the first alternative that requires a scheme. */
function requirementOf(
  security: Operation['security'],
  id: string,
): Operation['security'][number] | undefined {
  return security.find((schemes) => schemes.some(({ scheme }) => scheme === id));
}

function exchange({ anchors }: Page, operation: Operation): readonly SequenceStep[] {
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

/** Returns the notifications of one label as alternatives, because the contract states no order of them. */
function labelSteps(
  { anchors, contract }: Page,
  group: readonly Notification[],
): readonly SequenceStep[] {
  const choice = describeChoice(
    contract.recognition,
    group.map(({ name }) => name),
  );
  const steps = group
    .slice(0, maxMessages)
    .flatMap((notification, index): readonly SequenceStep[] => [
      {
        kind: 'divider',
        text: index === 0 ? choice : 'or',
      },
      {
        kind: 'message',
        direction: 'notification',
        text: notification.name,
        note: firstSentence(notification.summary ?? notification.description ?? ''),
        anchor: anchors.of('notification', notification.id),
      },
    ]);
  const rest = group.length - maxMessages;
  return rest > 0 ? [...steps, { kind: 'divider', text: `and ${rest} more` }] : steps;
}

function sharedLabels({ notifications }: Contract): readonly [string, readonly Notification[]][] {
  const groups = Map.groupBy(notifications, ({ label }) =>
    label === undefined ? '' : `${label.method ?? ''} ${label.path}`.trim(),
  );
  return [...groups].filter(([key, group]) => key !== '' && group.length > 1);
}

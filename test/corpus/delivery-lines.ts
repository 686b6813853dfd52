import { type Ending, endings } from '../targets/webhooks/octokit/deliveries.ts';
import counts from '../targets/webhooks/octokit/deliveries.json' with { type: 'json' };

const receivers = {
  document: 'the document alone',
  shown: 'with the overlay that the warning `indistinct-notifications` shows, as it is shown',
  events: 'with an overlay that states the event of each webhook',
} as const;

/** The section about the deliveries of real payloads, line by line. A test compares its counts. */
export function deliveryLines(): readonly string[] {
  const names = Object.keys(endings) as Ending[];
  return [
    '## Deliveries of GitHub',
    '',
    "Every payload of `@octokit/webhooks-examples`, of the service and of five older versions of its server, is delivered in JSON with the header `X-GitHub-Event` to three receivers that are generated from `@octokit/openapi-webhooks`. The expected kind is that of the event and the action. Payloads that reach `onInvalid` violate the document's schema of their kind. No value of the document distinguishes events: its header has an example, most of the time that of another webhook. `test/targets/webhooks/target.octokit-deliveries.all.test.ts` checks the counts. Deliveries in a form (`payload=`) are not counted: the document does not describe them.",
    '',
    `| Receiver | ${names.map((name) => endings[name]).join(' | ')} |`,
    `| --- | ${names.map(() => '---').join(' | ')} |`,
    ...(['document', 'shown', 'events'] as const).map(
      (receiver) =>
        `| ${receivers[receiver]} | ${names.map((name) => counts[receiver][name]).join(' | ')} |`,
    ),
    '',
  ];
}

import { type DirectedVerdicts, received } from './verdict.ts';

export type NotificationChangeCode =
  | 'notification-added'
  | 'notification-removed'
  | 'label-added'
  | 'label-removed'
  | 'label-changed'
  | 'notification-method-changed'
  | 'content-type-changed'
  | 'optional-notification-header-added'
  | 'required-notification-header-added'
  | 'notification-header-removed'
  | 'notification-header-optional'
  | 'notification-header-required'
  | 'identification-changed'
  | 'schema-identification-changed'
  | 'kind-ambiguous'
  | 'kind-unambiguous'
  | 'kind-renamed'
  | 'union-added'
  | 'union-removed'
  | 'deduplication-changed'
  | 'order-changed'
  | 'notification-security-changed';

const upgradeBefore = 'Upgrade before the service uses it.';
const distinguish = 'Distinguish the kinds with `x-identified-by`';

/** The impact of changes of notifications on receivers. */
export const notificationVerdicts: Readonly<Record<NotificationChangeCode, DirectedVerdicts>> = {
  'notification-added': received.breaksUpgrade(
    'Deployed receivers pass it to `otherwise`. After the upgrade, a complete set of handlers lacks one.',
    'Add a handler; `countersign scaffold --missing` prints its stub.',
  ),
  'notification-removed': received.breaks(
    'It is no longer sent, and its handler does not compile.',
    'Delete the handler.',
  ),
  'label-added': received.breaksDeployed(
    'Deployed receivers do not know the path of the label.',
    upgradeBefore,
  ),
  'label-removed': received.breaksDeployed(
    'Deployed receivers identify it by its label.',
    'Check whether its body identifies it.',
  ),
  'label-changed': received.breaksDeployed(
    'Deployed receivers do not know the path, and the application may not route it to them.',
    `${upgradeBefore} Check the routes.`,
  ),
  'notification-method-changed': received.breaksDeployed(
    'Deployed receivers refuse the method.',
    upgradeBefore,
  ),
  'content-type-changed': received.keeps('Receivers read the bytes, not the media type.'),
  'optional-notification-header-added': received.keeps(
    'Code that does not read it is not affected.',
  ),
  'required-notification-header-added': received.keeps(
    'Code that does not read it is not affected.',
  ),
  'notification-header-removed': received.breaks(
    'Code that reads it finds nothing.',
    'Remove the code that reads it.',
  ),
  'notification-header-optional': received.breaks(
    'Code that reads it does not expect its absence.',
    'Handle its absence.',
  ),
  'notification-header-required': received.keeps('It was expected before.'),
  'identification-changed': received.breaksDeployed(
    'Deployed receivers identify some deliveries as another kind, or as none.',
    'Upgrade at the same time as the service.',
  ),
  'schema-identification-changed': received.breaksUpgrade(
    'Upgraded receivers call its own handler where only its schema accepts a delivery, or no longer do so. The handler of the union is called otherwise.',
    'Handle such deliveries in its own handler and in that of the union.',
  ),
  'kind-ambiguous': received.breaks(
    'Deployed receivers take deliveries of the other kind for this one. Upgraded receivers call the handler of the union instead.',
    `${distinguish}. Otherwise handle the union, and upgrade before the service sends the other kind.`,
  ),
  'kind-unambiguous': received.breaksUpgrade(
    'Upgraded receivers call its own handler instead of the handler of the union.',
    'Move its code from the handler of the union to its own handler.',
  ),
  'kind-renamed': received.breaksUpgrade(
    'Its handler and the type of its event have other names.',
    'Rename the handler, or give the notifications of the contract distinct names.',
  ),
  'union-added': received.breaksUpgrade(
    'Upgraded receivers pass such deliveries to the handler of a union.',
    `${distinguish}, or write the handler of the union.`,
  ),
  'union-removed': received.breaksUpgrade(
    'The handler of the union is removed.',
    'Delete it, and handle each of the remaining kinds.',
  ),
  'deduplication-changed': received.breaksUpgrade(
    'Handlers may run for deliveries that counted as repeated before, and vice versa. An inbox stores a repetition again whose first delivery it stored before the upgrade.',
    'Check what handlers do when they run twice for one delivery.',
  ),
  'order-changed': received.breaksUpgrade(
    'An inbox keeps the order of other notifications than before. During a deployment, one subject can have two keys, whose events are handled at the same time.',
    'Upgrade all receivers at once, when the inbox has no unfinished events that must be handled in order.',
  ),
  'notification-security-changed': received.breaks(
    'Deployed receivers refuse such deliveries, or verify what they no longer contain.',
    'Change the option `authenticate` at the same time as the service.',
  ),
};

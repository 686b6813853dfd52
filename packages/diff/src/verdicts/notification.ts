import { breaks, breaksDeployed, type DirectedVerdicts, received } from './verdict.ts';

export type NotificationChangeCode =
  | 'notification-added'
  | 'notification-removed'
  | 'label-added'
  | 'label-removed'
  | 'label-changed'
  | 'notification-method-changed'
  | 'callback-address-changed'
  | 'content-type-changed'
  | 'notification-encoding-changed'
  | 'notification-encoding-added'
  | 'notification-media-type-added'
  | 'notification-media-type-removed'
  | 'notification-parameter-added'
  | 'notification-parameter-removed'
  | 'notification-status-changed'
  | 'notification-answer-changed'
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
  | 'union-changed'
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
  'callback-address-changed': {
    sent: breaks(
      'The service reads the address of the callback elsewhere, and finds none in deployed calls.',
      'Send the address where the service reads it now.',
    ),
    received: breaksDeployed(
      'Receivers whose address is only in its old place get no delivery.',
      'Check that callers send the address in its new place.',
    ),
  },
  'content-type-changed': received.keeps(
    'Receivers read both in the same way, whatever the media type is.',
  ),
  'notification-encoding-changed': received.breaks(
    'Deployed receivers cannot read the new form of the data.',
    upgradeBefore,
  ),
  'notification-encoding-added': received.breaksDeployed(
    'Deployed receivers cannot read the new form of the data.',
    upgradeBefore,
  ),
  'notification-media-type-added': received.keeps('Receivers read it as they read the others.'),
  'notification-media-type-removed': received.keeps('The others are unchanged.'),
  'notification-parameter-added': received.keeps('Receivers do not read it.'),
  'notification-parameter-removed': received.keeps('Receivers do not read it.'),
  'notification-status-changed': received.breaksDeployed(
    'Deployed receivers answer with the old status, which the sender may take for a failure.',
    'Upgrade at the same time as the service.',
  ),
  'notification-answer-changed': received.breaksDeployed(
    'Deployed receivers answer with the old body, which the sender may take for a failure.',
    'Upgrade at the same time as the service.',
  ),
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
  'union-changed': received.breaksUpgrade(
    'The handler of the union gets other kinds under the same name.',
    'Check what the handler does with each kind.',
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

import {
  breaks,
  breaksDeployed,
  breaksUpgrade,
  type ChangeRule,
  keeps,
  type Verdict,
} from './verdict.ts';

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
  | 'kind-ambiguous'
  | 'kind-unambiguous'
  | 'kind-renamed'
  | 'union-added'
  | 'union-removed'
  | 'deduplication-changed'
  | 'notification-security-changed';

const received = (title: string, verdict: Verdict): ChangeRule => ({ title, received: verdict });

/** The effects of changes of notifications on receivers. */
export const notificationRules: Readonly<Record<NotificationChangeCode, ChangeRule>> = {
  'notification-added': received(
    'A notification is new.',
    breaksUpgrade(
      'Receivers that run today hand it to `otherwise`; handlers that have to be complete lack one.',
      'Write a handler; `countersign scaffold` adds its stub.',
    ),
  ),
  'notification-removed': received(
    'A notification is gone.',
    breaks('It does not come any more, and its handler no longer compiles.', 'Delete the handler.'),
  ),
  'label-added': received(
    'A notification has a label.',
    breaksDeployed(
      'Receivers that run today know no such path and go by the body alone.',
      'Upgrade before the service uses the label.',
    ),
  ),
  'label-removed': received(
    'A notification has no label any more.',
    breaksDeployed(
      'Receivers told it by its label.',
      'Look whether its body alone tells it from the others.',
    ),
  ),
  'label-changed': received(
    'A notification comes at another path.',
    breaksDeployed(
      'Receivers that run today do not know the path; routes of the application may not lead there.',
      'Upgrade before the service uses the label, and check the routes.',
    ),
  ),
  'notification-method-changed': received(
    'A notification comes with another method.',
    breaksDeployed(
      'Receivers that run today refuse the method.',
      'Upgrade before the service uses it.',
    ),
  ),
  'content-type-changed': received(
    'A notification is of another media type.',
    keeps('Receivers go by the bytes, not by the declared type.'),
  ),
  'optional-notification-header-added': received(
    'A notification can have one header more.',
    keeps('Nobody has to read it.'),
  ),
  'required-notification-header-added': received(
    'A notification has one header more.',
    keeps('Nobody has to read it.'),
  ),
  'notification-header-removed': received(
    'A notification has one header less.',
    breaks('Code that reads it finds nothing.', 'Do without it.'),
  ),
  'notification-header-optional': received(
    'A header of a notification can be missing.',
    breaks('Code that reads it does not expect that.', 'Handle its absence.'),
  ),
  'notification-header-required': received(
    'A header of a notification is always there.',
    keeps('It was expected before.'),
  ),
  'identification-changed': received(
    'Something else tells a notification from the others.',
    breaksDeployed(
      'Receivers that run today take some deliveries for another kind, or for none.',
      'Upgrade at the same time as the service.',
    ),
  ),
  'kind-ambiguous': received(
    'A delivery of one kind can be of another as well.',
    breaks(
      'Receivers that run today take deliveries of the other kind for this one; upgraded ones call the handler of the union instead.',
      'State with `x-identified-by` what tells the kinds apart. Otherwise handle the union, and upgrade before the service sends the other kind.',
    ),
  ),
  'kind-unambiguous': received(
    'A delivery of one kind can no longer be of another.',
    breaksUpgrade(
      'Its own handler is called where the handler of a union was.',
      'Move what the handler of the union does for this kind to its own handler.',
    ),
  ),
  'kind-renamed': received(
    'A kind has another name in code.',
    breaksUpgrade(
      'Its handler and the type of its event have other names.',
      'Rename the handler, or give the notifications of the contract names that differ.',
    ),
  ),
  'union-added': received(
    'A delivery can be of several kinds at once.',
    breaksUpgrade(
      'Such deliveries come to a handler of their own, as a union.',
      'State with `x-identified-by` what tells the kinds apart, or write the handler of the union.',
    ),
  ),
  'union-removed': received(
    'No delivery is of several kinds at once any more.',
    breaksUpgrade(
      'The handler of the union is gone.',
      'Delete it, and handle each of its kinds that is left.',
    ),
  ),
  'deduplication-changed': received(
    'Something else makes two deliveries the same.',
    breaksUpgrade(
      'Handlers may run for deliveries that counted as repeated before, and the other way round.',
      'Check what handlers do when they are run again.',
    ),
  ),
  'notification-security-changed': received(
    'Notifications prove where they come from in another way.',
    breaks(
      'Receivers that run today refuse what comes, or check what is no longer there.',
      'Change the option `authenticate` together with the service.',
    ),
  ),
};

import { both, type DirectedVerdicts } from './verdict.ts';

export type MessageChangeCode =
  | 'message-added'
  | 'message-removed'
  | 'message-protocol-changed'
  | 'message-address-changed'
  | 'message-content-type-changed';

/** The impact of changes of messages that no receiver takes. */
export const messageVerdicts: Readonly<Record<MessageChangeCode, DirectedVerdicts>> = {
  'message-added': both.keeps('No code depends on it.'),
  'message-removed': both.breaksUpgrade(
    'Code that uses its types no longer compiles.',
    'Delete the code.',
  ),
  'message-protocol-changed': both.breaks(
    'Deployed applications use the former protocol.',
    'Connect with the new protocol.',
  ),
  'message-address-changed': both.breaks(
    'Deployed applications use the former address.',
    'Use the new address.',
  ),
  'message-content-type-changed': both.breaks(
    'Deployed applications use the former media type.',
    'Use the new media type.',
  ),
};

import { both, type DirectedVerdicts } from './verdict.ts';

export type SecurityChangeCode =
  | 'security-scheme-added'
  | 'security-scheme-removed'
  | 'security-scheme-changed'
  | 'signature-added'
  | 'signature-removed'
  | 'signature-changed'
  | 'tolerance-tightened'
  | 'tolerance-loosened'
  | 'credential-renamed'
  | 'access-token-changed';

const together = 'Upgrade at the same time as the service.';

/** The impact of changes of security schemes on senders, who authenticate, and on receivers, who verify. */
export const securityVerdicts: Readonly<Record<SecurityChangeCode, DirectedVerdicts>> = {
  'security-scheme-added': both.keeps('Only operations and notifications that name it use it.'),
  'security-scheme-removed': both.breaksUpgrade(
    'Its credential is no longer an option.',
    'Stop passing the credential.',
  ),
  'security-scheme-changed': both.breaks('The credential is no longer in its old place.', together),
  'signature-added': both.breaks('Requests without a signature are refused.', 'Pass the key.'),
  'signature-removed': both.breaksUpgrade(
    'The signing key is no longer an option.',
    'Stop passing the key.',
  ),
  'signature-changed': both.breaksDeployed('Signatures of the old form are refused.', together),
  'tolerance-tightened': both.breaksDeployed(
    'Requests with a deviating clock or a long transfer are refused.',
    'Synchronize the clocks.',
  ),
  'tolerance-loosened': both.keeps('Every timestamp that was accepted before is accepted.'),
  'credential-renamed': both.breaksUpgrade('The option has another name.', 'Rename the option.'),
  'access-token-changed': both.breaksDeployed(
    'Deployed clients obtain, read or send the token in the old way.',
    together,
  ),
};

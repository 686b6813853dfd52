import { both, breaks, breaksDeployed, breaksUpgrade, type ChangeRule, keeps } from './verdict.ts';

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

/** The effects of changes of security schemes on senders, who authenticate, and on receivers, who check it. */
export const securityRules: Readonly<Record<SecurityChangeCode, ChangeRule>> = {
  'security-scheme-added': both(
    'A security scheme is new.',
    keeps('What uses it says so by itself.'),
  ),
  'security-scheme-removed': both(
    'A security scheme is gone.',
    breaksUpgrade('Its credential is no option any more.', 'Stop giving the credential.'),
  ),
  'security-scheme-changed': both(
    'A credential travels in another way.',
    breaks('It is no longer found where it was.', together),
  ),
  'signature-added': both(
    'A signature is stated.',
    breaks('Requests without one are refused.', 'Give the signing key.'),
  ),
  'signature-removed': both(
    'No signature is stated any more.',
    breaksUpgrade('The signing key is no option any more.', 'Stop giving the key.'),
  ),
  'signature-changed': both(
    'A signature is made in another way.',
    breaksDeployed('Signatures made in the old way are refused.', together),
  ),
  'tolerance-tightened': both(
    'A timestamp may differ less from the clock.',
    breaksDeployed(
      'Requests of clocks that are off, or that travel long, are refused.',
      'Keep clocks right.',
    ),
  ),
  'tolerance-loosened': both(
    'A timestamp may differ more from the clock.',
    keeps('What was accepted before still is.'),
  ),
  'credential-renamed': both(
    'A credential has another name in code.',
    breaksUpgrade('The option has another name.', 'Rename the option.'),
  ),
  'access-token-changed': both(
    'The access token is obtained, read or written in another way.',
    breaksDeployed('Clients that run today do it in the old way.', together),
  ),
};

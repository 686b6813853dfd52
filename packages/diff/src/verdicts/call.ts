import { breaksDeployed, breaksUpgrade, type DirectedVerdicts, received, sent } from './verdict.ts';

export type CallChangeCode =
  | 'operation-added'
  | 'operation-removed'
  | 'operation-renamed'
  | 'method-changed'
  | 'path-changed'
  | 'optional-parameter-added'
  | 'required-parameter-added'
  | 'parameter-removed'
  | 'parameter-required'
  | 'parameter-optional'
  | 'parameter-renamed'
  | 'parameter-serialization-changed'
  | 'parameter-made-differently'
  | 'request-body-added'
  | 'request-body-removed'
  | 'request-body-required'
  | 'request-body-optional'
  | 'request-media-type-added'
  | 'request-media-type-removed'
  | 'request-media-type-renamed'
  | 'request-body-bytes'
  | 'request-body-decoded'
  | 'request-encoding-changed'
  | 'success-status-changed'
  | 'success-response-added'
  | 'response-added'
  | 'first-failure-added'
  | 'response-removed'
  | 'response-header-added'
  | 'response-header-removed'
  | 'response-header-optional'
  | 'response-header-required'
  | 'response-media-type-added'
  | 'response-media-type-removed'
  | 'response-media-type-renamed'
  | 'response-body-bytes'
  | 'response-body-decoded'
  | 'repetition-allowed'
  | 'repetition-withdrawn'
  | 'pagination-added'
  | 'pagination-removed'
  | 'pagination-changed'
  | 'security-relaxed'
  | 'security-tightened'
  | 'server-added'
  | 'server-removed'
  | 'server-default-changed'
  | 'server-variable-added'
  | 'server-variable-removed'
  | 'server-values-extended'
  | 'server-values-restricted';

const othersStay = sent.keeps('The others are unchanged.');
const upgradeFunction = 'Upgrade. This change alone leaves calls of the function as they are.';
const undeclaredSuccess =
  'Deployed clients reject the status, because the old contract does not declare it; the service may have executed the call.';

/** The impact of changes of operations on callers. */
export const callVerdicts: Readonly<Record<CallChangeCode, DirectedVerdicts>> = {
  'operation-added': sent.keeps('Existing calls are not affected.'),
  'operation-removed': sent.breaks(
    'The service no longer answers it, and its function is removed.',
    'Use the operation that replaces it.',
  ),
  'operation-renamed': sent.breaksUpgrade(
    'Its function has another name.',
    'Rename the calls of the function.',
  ),
  'repetition-allowed': sent.keeps('The client can repeat the call if its outcome is unknown.'),
  'repetition-withdrawn': sent.breaksDeployed(
    'Deployed clients repeat the call if its outcome is unknown, so its effect can happen twice.',
    'Upgrade the client, and check calls with `repeatable: true`.',
  ),
  'pagination-added': sent.keeps('The call gets `items` and `pages`.'),
  'pagination-removed': sent.breaksUpgrade(
    'The call has no `items` and `pages` any more.',
    'Request the pages by the call itself.',
  ),
  'pagination-changed': sent.breaksDeployed(
    'Deployed clients look for the next page in the old way, and can miss items.',
    'Upgrade the client.',
  ),
  'method-changed': sent.breaksDeployed('Calls with the old method are refused.', upgradeFunction),
  'path-changed': sent.breaksDeployed(
    'Deployed calls use the old path, which the contract no longer has.',
    upgradeFunction,
  ),
  'optional-parameter-added': sent.keeps('It can be omitted.'),
  'required-parameter-added': sent.breaks(
    'Calls without it are refused and do not compile.',
    'Pass the parameter.',
  ),
  'parameter-removed': sent.breaksUpgrade(
    'Code that passes it does not compile. Deployed calls still pass it: if the service ignores it, they get other results without an error, such as unfiltered ones.',
    'Stop passing it, and check the calls that relied on it.',
  ),
  'parameter-required': sent.breaks(
    'Calls without it are refused and do not compile.',
    'Pass the parameter.',
  ),
  'parameter-optional': sent.keeps('Calls that pass it are still valid.'),
  'parameter-renamed': {
    sent: breaksUpgrade('The wire is the same. Code passes it under another name.', 'Rename it.'),
    received: breaksUpgrade(
      'The wire is the same. Code reads it under another name.',
      'Rename it.',
    ),
  },
  'parameter-serialization-changed': {
    sent: breaksDeployed('The service no longer reads the old serialization.', upgradeFunction),
    received: breaksDeployed(
      'Deployed code reads the old serialization.',
      'Upgrade at the same time as the service.',
    ),
  },
  'parameter-made-differently': sent.breaksDeployed(
    'Deployed clients create the value in the old way.',
    'Upgrade the client.',
  ),
  'request-body-added': sent.keeps('It can be omitted.'),
  'request-body-removed': sent.breaksUpgrade(
    'Code that passes a body does not compile.',
    'Stop passing it.',
  ),
  'request-body-required': sent.breaks(
    'Calls without a body are refused and do not compile.',
    'Pass the body.',
  ),
  'request-body-optional': sent.keeps('Calls that pass it are still valid.'),
  'request-media-type-added': othersStay,
  'request-media-type-removed': sent.breaks(
    'Bodies of this media type are refused.',
    'Send one of the remaining media types.',
  ),
  'request-media-type-renamed': sent.breaksUpgrade(
    'The wire is the same. Code that names the media type does not compile.',
    'Write its new name.',
  ),
  'request-body-bytes': sent.breaksUpgrade(
    'Code that passes a value does not compile.',
    'Pass the bytes of the value.',
  ),
  'request-body-decoded': sent.breaks(
    'Bytes that encode no such value are refused, and code that passes bytes does not compile.',
    'Pass the value.',
  ),
  'request-encoding-changed': sent.breaksDeployed(
    'The service no longer reads the old encoding.',
    upgradeFunction,
  ),
  'success-status-changed': received.breaks(
    undeclaredSuccess,
    'Handle the new answer. Upgrade before the service answers with it.',
  ),
  'success-response-added': received.breaks(
    undeclaredSuccess,
    'Handle the answer. Upgrade before the service answers with it.',
  ),
  'response-added': received.breaksUpgrade(
    'The type of answers or failures has another member. Deployed clients treat the status as before.',
    'Handle the response.',
  ),
  'first-failure-added': received.keeps(
    'Calls are rejected with the status as before. The new code has a type for their failures.',
  ),
  'response-removed': received.breaksUpgrade(
    'Code that handles it does not compile.',
    'Delete the code that handles it.',
  ),
  'response-header-added': received.keeps('Code that does not read it is not affected.'),
  'response-header-removed': received.breaks(
    'Code that reads it finds nothing.',
    'Remove the code that reads it.',
  ),
  'response-header-optional': received.breaks(
    'Code that reads it does not expect its absence.',
    'Handle its absence.',
  ),
  'response-header-required': received.keeps('It was expected before.'),
  'response-media-type-added': received.breaks(
    'Deployed clients cannot read it.',
    'Handle the media type.',
  ),
  'response-media-type-removed': received.breaksUpgrade(
    'Code that handles it may not compile.',
    'Delete the code that handles it.',
  ),
  'response-media-type-renamed': received.breaksUpgrade(
    'Deployed clients read it in the same way. Code that compares the media type does not compile.',
    'Compare with its new name.',
  ),
  'response-body-bytes': received.breaks(
    'Deployed clients decode the body, which fails for other bytes. Its type in code is another.',
    'Read the bytes, and upgrade before the service sends others.',
  ),
  'response-body-decoded': received.breaksUpgrade(
    'Deployed clients return the bytes. After the upgrade, the body has another type.',
    'Read the decoded value.',
  ),
  'security-relaxed': sent.keeps('Calls are authorized as before.'),
  'security-tightened': sent.breaks(
    'Calls that are authorized as before are refused.',
    'Pass the required credentials.',
  ),
  'server-added': othersStay,
  'server-removed': sent.breaksDeployed(
    'Calls to the URL fail.',
    'Use one of the remaining servers.',
  ),
  'server-default-changed': sent.breaksUpgrade(
    'A client that does not state the address sends its calls to another one.',
    'Check the address, and state the previous one where calls have to go there.',
  ),
  'server-variable-added': sent.keeps('By default, the address is the same.'),
  'server-variable-removed': sent.breaksUpgrade(
    'Code that sets the variable does not compile.',
    'State the address with `baseUrl`.',
  ),
  'server-values-extended': othersStay,
  'server-values-restricted': sent.breaks(
    'Calls to an address with another value fail, and code that sets it does not compile.',
    'Use one of the remaining values.',
  ),
};

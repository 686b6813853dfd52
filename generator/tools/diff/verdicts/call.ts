import {
  breaks,
  breaksDeployed,
  breaksUpgrade,
  type ChangeRule,
  keeps,
  type Verdict,
} from './verdict.ts';

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
  | 'parameter-serialisation-changed'
  | 'parameter-made-differently'
  | 'request-body-added'
  | 'request-body-removed'
  | 'request-body-required'
  | 'request-body-optional'
  | 'request-media-type-added'
  | 'request-media-type-removed'
  | 'request-encoding-changed'
  | 'response-added'
  | 'response-removed'
  | 'response-header-added'
  | 'response-header-removed'
  | 'response-header-optional'
  | 'response-header-required'
  | 'response-media-type-added'
  | 'response-media-type-removed'
  | 'repetition-allowed'
  | 'repetition-withdrawn'
  | 'security-relaxed'
  | 'security-tightened'
  | 'server-added'
  | 'server-removed';

const sent = (title: string, verdict: Verdict): ChangeRule => ({ title, sent: verdict });
const read = (title: string, verdict: Verdict): ChangeRule => ({ title, received: verdict });

/** The effects of changes of operations on callers. */
export const callRules: Readonly<Record<CallChangeCode, ChangeRule>> = {
  'operation-added': sent('A call is new.', keeps('Nobody has to make it.')),
  'operation-removed': sent(
    'A call is gone.',
    breaks(
      'The service no longer answers it, and its function is gone.',
      'Use the call that took its place.',
    ),
  ),
  'operation-renamed': sent(
    'A call has another name; method and path are the same.',
    breaksUpgrade('Its function has another name.', 'Rename the calls of the function.'),
  ),
  'repetition-allowed': sent(
    'A call may be sent again when it is unknown what became of it.',
    keeps('Sending it once stays right.'),
  ),
  'repetition-withdrawn': sent(
    'A call may no longer be sent again when it is unknown what became of it.',
    breaksDeployed(
      'Clients that run today repeat it, and what it does can be done twice.',
      'Upgrade the client, and look for `repeatable: true` in your calls.',
    ),
  ),
  'method-changed': sent(
    'A call has another method.',
    breaksDeployed(
      'Calls with the old method are refused.',
      'Upgrade; the function is called as before.',
    ),
  ),
  'path-changed': sent(
    'A call has another path.',
    breaksDeployed(
      'Calls to the old path are refused.',
      'Upgrade; the function is called as before.',
    ),
  ),
  'optional-parameter-added': sent('A parameter is new.', keeps('It may be left out.')),
  'required-parameter-added': sent(
    'A parameter is new and has to be given.',
    breaks('Calls without it are refused, and do not compile.', 'Give the parameter.'),
  ),
  'parameter-removed': sent(
    'A parameter is gone.',
    breaksUpgrade('Code that gives it no longer compiles.', 'Stop giving it.'),
  ),
  'parameter-required': sent(
    'A parameter has to be given.',
    breaks('Calls without it are refused, and do not compile.', 'Give the parameter.'),
  ),
  'parameter-optional': sent('A parameter may be left out.', keeps('Giving it stays right.')),
  'parameter-serialisation-changed': sent(
    'A parameter is written in another way.',
    breaksDeployed(
      'The service reads the old way no longer.',
      'Upgrade; the value is given as before.',
    ),
  ),
  'parameter-made-differently': sent(
    'A parameter that the client makes itself is made in another way.',
    breaksDeployed('Clients that run today make it in the old way.', 'Upgrade the client.'),
  ),
  'request-body-added': sent('A call takes a body.', keeps('It may be left out.')),
  'request-body-removed': sent(
    'A call takes no body any more.',
    breaksUpgrade('Code that gives one no longer compiles.', 'Stop giving it.'),
  ),
  'request-body-required': sent(
    'A call needs a body.',
    breaks('Calls without one are refused, and do not compile.', 'Give the body.'),
  ),
  'request-body-optional': sent('A body may be left out.', keeps('Giving it stays right.')),
  'request-media-type-added': sent(
    'A body can be of one more media type.',
    keeps('The others stay.'),
  ),
  'request-media-type-removed': sent(
    'A body can no longer be of a media type.',
    breaks('Bodies of this type are refused.', 'Send one of the types that are left.'),
  ),
  'request-encoding-changed': sent(
    'Parts of a body are written in another way.',
    breaksDeployed(
      'The service reads the old way no longer.',
      'Upgrade; the body is given as before.',
    ),
  ),
  'response-added': read(
    'A call can be answered in one more way.',
    breaksUpgrade(
      'The result has one more member in its union; until then the answer was an undeclared one.',
      'Handle the response.',
    ),
  ),
  'response-removed': read(
    'A call is no longer answered in this way.',
    breaksUpgrade('Code that handles it no longer compiles.', 'Delete the code that handles it.'),
  ),
  'response-header-added': read('A response has one header more.', keeps('Nobody has to read it.')),
  'response-header-removed': read(
    'A response has one header less.',
    breaks('Code that reads it finds nothing.', 'Do without it.'),
  ),
  'response-header-optional': read(
    'A header of a response can be missing.',
    breaks('Code that reads it does not expect that.', 'Handle its absence.'),
  ),
  'response-header-required': read(
    'A header of a response is always there.',
    keeps('It was expected before.'),
  ),
  'response-media-type-added': read(
    'A response can be of one more media type.',
    breaks('Clients that run today cannot read it.', 'Handle the media type.'),
  ),
  'response-media-type-removed': read(
    'A response is no longer of a media type.',
    breaksUpgrade(
      'Code that handles it may no longer compile.',
      'Delete the code that handles it.',
    ),
  ),
  'security-relaxed': sent('A call can be authorised in one more way.', keeps('The others stay.')),
  'security-tightened': sent(
    'A call can no longer be authorised as before.',
    breaks(
      'Calls that are authorised as before are refused.',
      'Give the credentials that are asked for.',
    ),
  ),
  'server-added': sent('The service has one more address.', keeps('The others stay.')),
  'server-removed': sent(
    'The service is no longer at an address.',
    breaksDeployed('Calls to the address fail.', 'Use one of the addresses that are left.'),
  ),
};

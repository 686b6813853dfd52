import { CommandError } from 'countersign/companion/terminal';

/** Whole words of names of parameters that are credentials of the sender, in most services. */
const credentialWord =
  /^(?:.*[-_.])?(?:assertion|auth|bearer|code|hmac|jwt|key|otp|pass|pin|pwd|sas|session|sid|sig|ticket)$/iu;

/** The ends of such names, with or without a separator before them. */
const credentialEnd =
  /(?:token|secret|password|passwd|passphrase|passcode|signature|(?:access|account|api|auth|client|function|master|private|secret|shared|subscription|user)key|authcode|sessionid|authorization|credentials?)$/iu;

function isCredential(name: string): boolean {
  return credentialWord.test(name) || credentialEnd.test(name.replaceAll(/[-_.]/gu, ''));
}

/**
 * Reads the address of a document.
 * @throws CommandError `usage` for a text that is not a URL of HTTP, or has a credential in its query
 */
export function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new CommandError(
      'usage',
      'pull requires the URL of a document, such as https://api.example.com/openapi.yaml.',
    );
  const credential = [...url.searchParams.keys()].find(isCredential);
  if (credential !== undefined)
    throw new CommandError(
      'usage',
      `The parameter \`${credential}\` of the URL can be a credential, and the lock file would contain it. Send it with --header-env.`,
    );
  url.hash = '';
  return url;
}

/** Returns an address as it is shown and written: without user, password and fragment. */
export function toShownAddress(address: URL): string {
  const shown = new URL(address);
  shown.username = '';
  shown.password = '';
  shown.hash = '';
  return shown.href;
}

/** Returns an address without its query too, which can have a credential that a redirect added. */
export function withoutQuery(address: URL): string {
  const shown = new URL(toShownAddress(address));
  shown.search = '';
  return shown.href;
}

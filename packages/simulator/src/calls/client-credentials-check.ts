import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import type { Json } from 'countersign/kit';
import type { ServedOperation } from '../service.ts';
import { decodeFormText } from './decode-text.ts';
import { compileSecret } from './equal-secrets.ts';
import type { ReceivedCall } from './received-call.ts';
import { clientCredentialsOf } from './token-endpoints.ts';
import { failed, passed } from './scheme-check.ts';

type CheckClient = (call: ReceivedCall, body: Json | undefined) => readonly CheckStep[];

/**
 * Compiles the check of a token request with the client credentials flow: its grant type, and the client ID and secret
 * with HTTP Basic or in the body (RFC 6749, sections 2.3.1 and 4.4.2). Other operations have nothing to check.
 */
export function compileClientCredentials(
  operation: Pick<ServedOperation, 'name'>,
  { credentials, description }: Pick<SimulatorContext, 'credentials' | 'description'>,
): CheckClient {
  const clientCredentials = clientCredentialsOf(description, operation);
  if (clientCredentials.length === 0) return () => [];
  const accepted = clientCredentials.map((name) => compileSecret(credentials[name] ?? ''));
  const names = clientCredentials.map((name) => `\`${name}\``).join(' or ');
  const fix = `Send the client ID and secret of ${names}, which the simulator prints at its start with a colon between them, with HTTP Basic or as \`client_id\` and \`client_secret\` in the body.`;
  const ok = passed('token', 'The credentials of the token request are right.');
  const fail = (code: string, message: string): CheckStep => failed('token', code, message, fix);
  const checkClient = (call: ReceivedCall, body: Json | undefined): CheckStep => {
    const [header] = call.headers('authorization');
    const [id, secret] = [memberOf(body, 'client_id'), memberOf(body, 'client_secret')];
    const inBody = secret === undefined ? undefined : `${id ?? ''}:${secret}`;
    const inHeader = header === undefined ? undefined : readBasic(header);
    for (const sentSecret of [header, secret, inHeader, ...(inHeader?.split(':') ?? [])])
      if (sentSecret !== undefined && sentSecret !== '') call.secrets.add(sentSecret);
    if (header !== undefined && inBody !== undefined)
      return fail('repeated-token-credential', 'The client authenticates in two ways.');
    const sentCredentials = header === undefined ? inBody : inHeader;
    if (header === undefined && sentCredentials === undefined)
      return fail('missing-token-credential', 'The client ID and its secret are missing.');
    return sentCredentials !== undefined && accepted.some((isRight) => isRight(sentCredentials))
      ? ok
      : fail(
          'wrong-token-credential',
          'The client ID and its secret are not those of the simulator.',
        );
  };
  return (call, body) => [
    ...(memberOf(body, 'grant_type') === 'client_credentials'
      ? []
      : [
          failed(
            'body',
            'wrong-grant-type',
            'The body has no `grant_type` of `client_credentials`.',
            'Send `grant_type=client_credentials` in the body.',
          ),
        ]),
    checkClient(call, body),
  ];
}

/** Returns client ID and secret with a colon between them; `undefined` where the header is not of the scheme Basic. */
function readBasic(header: string): string | undefined {
  const [, text] = /^basic +(\S+)$/iu.exec(header) ?? [];
  if (text === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(text, 'base64').toString().split(':');
  return `${decodeFormText(id)}:${decodeFormText(secret.join(':'))}`;
}

function memberOf(body: Json | undefined, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const [, value] = Object.entries(body).find(([member]) => member === name) ?? [];
  return typeof value === 'string' ? value : undefined;
}

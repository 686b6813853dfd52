import { frameworks } from '../scaffold/frameworks.ts';

const titles = new Map(frameworks.map(({ name, title }) => [name, title]));
const receivers = new Map(
  frameworks.map(({ target, title }) => [target, `a receiver for ${title}`]),
);

/** What the answers of a question mean, by the name of the question. */
const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ci: { github: 'GitHub Actions', gitlab: 'GitLab CI', none: 'no pipeline' },
  perspective: {
    service: "the service's: you receive what they list as sent",
    integrator: 'yours: you receive what they list as received',
  },
  layout: {
    folder: 'source code in a folder of one application',
    packages: 'npm packages of a workspace, for several applications',
  },
  framework: { none: 'no receiver is written' },
  target: {
    contract: 'types, validators and the documents',
    client: 'a typed client, which signs its calls',
    'openapi-types': 'types for openapi-fetch and openapi-msw',
    webhooks: 'a receiver for `fetch` and for Node',
    simulator: 'the service that the contract describes, for tests',
    reference: 'one HTML page about the contract',
  },
  kindsBy: {
    contract: 'its values, examples and schemas',
    'header:<name>': 'a header, such as x-event',
    'member:<name>': 'a member of the body, such as type',
    path: 'the path of the URL',
    none: 'nothing: kinds that look alike have one handler',
  },
  signature: {
    stated: 'as the contract declares',
    'shared-secret': 'a secret in a header, agreed on with the sender',
    secret: 'a secret in a header, which the overlay declares',
    'hmac-hex': 'HMAC-SHA256 of the body, in hexadecimal digits',
    'hmac-hex-prefixed': 'the same, behind sha256=',
    'hmac-base64': 'HMAC-SHA256 of the body, in Base64',
    timestamped: 'HMAC of time and body, as t=…,v1=…',
    versioned: 'HMAC of time and body, as v0=…',
    'standard-webhooks': 'the headers of Standard Webhooks',
  },
  credentials: {
    none: 'calls carry none',
    bearer: 'a bearer token',
    basic: 'a user name and a password',
    'api-key': 'a key in a header',
  },
};

/** Returns what an answer to a question means, in a few words; `undefined` for a name of the contract. */
export function meaningOf(question: string, answer: string): string | undefined {
  const known = meanings[question];
  if (known !== undefined && Object.hasOwn(known, answer)) return known[answer];
  if (question === 'framework') return titles.get(answer);
  return question === 'target' ? receivers.get(answer) : undefined;
}

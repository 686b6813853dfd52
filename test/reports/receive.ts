import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractTarget } from '../../generator/targets/contract/target.ts';
import { webhooksTarget } from '../../generator/targets/webhooks/target.ts';
import { lowerFiles } from '../contract/lower/lower-files.ts';
import { generateProject } from '../targets/emit-project.ts';

/** A delivery, and what a receiver makes of it. */
export interface Delivery {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The status, the kind and data that a handler got or the reason why it did not, and the answer if it has a body. */
  readonly gives: readonly [status: number, ...rest: unknown[]];
}

/** A contract, and what its receiver gets. */
export interface Received {
  readonly contract: object;
  /** The keys of the signature, if the contract has one. */
  readonly keys?: readonly string[];
  readonly deliveries: readonly Delivery[];
  /** Whether the violations of a delivery are in the result. */
  readonly tells?: boolean;
  readonly overlay?: string;
}

interface Module {
  createWebhooks(options: object): { readonly fetch: (request: Request) => Promise<Response> };
  unauthenticated(): unknown;
  verifyGithub?(options: object): unknown;
}

interface Refused {
  readonly reason: string;
  readonly violations: readonly { readonly pointer: string; readonly message: string }[];
}

type Listener = (event: { readonly reason?: string; readonly detail?: string }) => void;

/** Makes the deliveries, and returns for each its status, what the handlers got or why they did not, and the answer. */
export async function receive({
  contract,
  deliveries,
  keys,
  tells = false,
  overlay,
}: Received): Promise<readonly unknown[]> {
  const name = 'asyncapi' in contract ? 'asyncapi.yaml' : 'openapi.yaml';
  const lowered = await lowerFiles({
    [name]: JSON.stringify(contract),
    ...(overlay === undefined ? {} : { 'overlay.yaml': overlay }),
  });
  await using generated = await generateProject(
    lowered.contract,
    [contractTarget, webhooksTarget],
    { unformatted: true },
  );
  const entry = pathToFileURL(join(generated.project, 'webhooks/src/index.ts'));
  const module = (await import(entry.href)) as Module;
  const seen: unknown[] = [];
  const { fetch } = module.createWebhooks({
    authenticate: keys === undefined ? module.unauthenticated() : module.verifyGithub?.({ keys }),
    on: {},
    otherwise: { rest: (one: { kind: string; data: unknown }) => seen.push(one.kind, one.data) },
    onInvalid({ reason, violations }: Refused) {
      const told = violations.map(({ pointer, message }) => `${pointer} ${message}`);
      seen.push(reason, ...(tells ? told : []));
    },
    onEvent: (({ reason, detail }) => {
      if (reason === 'unauthentic') seen.push(detail);
    }) satisfies Listener,
  });
  const results: unknown[] = [];
  for (const { type: sent, headers, body } of deliveries) {
    seen.length = 0;
    const all = { ...(sent === undefined ? {} : { 'content-type': sent }), ...headers };
    const request = new Request('http://127.0.0.1/events', { method: 'POST', headers: all, body });
    const response = await fetch(request);
    const answer = response.status < 300 ? await response.text() : '';
    const type = response.headers.get('content-type');
    results.push([response.status, ...seen, ...(answer === '' ? [] : [type, answer])]);
  }
  return results;
}

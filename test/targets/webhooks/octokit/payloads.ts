import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** An example payload of `@octokit/webhooks-examples`. */
export interface Payload {
  /** The value of the event header. */
  readonly event: string;
  /** The event, the action where there is one, and the place among the examples of the event. */
  readonly title: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Where payloads come from: the service itself, or a version of its server. */
export type Origin = 'api.github.com' | `ghes-${number}`;

/** Every example payload of an origin, in the order of the package. */
export async function readPayloads(origin: Origin): Promise<readonly Payload[]> {
  const require = createRequire(import.meta.url);
  const main = require.resolve('@octokit/webhooks-examples');
  const file = main.replace('api.github.com', origin);
  const events = JSON.parse(await readFile(file, 'utf8')) as readonly {
    readonly name: string;
    readonly examples: readonly Payload['body'][];
  }[];
  return events.flatMap(({ name, examples }) =>
    examples.map((body, index) => {
      const { action } = body;
      const full = typeof action === 'string' ? `${name}.${action}` : name;
      return { event: name, title: `${full} #${index + 1}`, body };
    }),
  );
}

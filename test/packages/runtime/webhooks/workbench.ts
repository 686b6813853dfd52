import type {
  DeliveryRecord,
  Receive,
  StoredDelivery,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { exchange, type Answer } from './exchange.ts';
import type { ImportedWebhooks } from './generated-webhooks.ts';

/** A way of putting a receiver behind HTTP. */
export interface Adapter {
  readonly name: string;
  /** Whether the path arrives as it was sent; `Request` resolves dots, in a sender's path too. */
  readonly keepsPath: boolean;
  /** Rules that the framework itself keeps it from, by name, and why. */
  readonly exceptions?: Readonly<Record<string, string>>;
  serve(receive: Receive): Promise<Served>;
}

/** A server on the loopback. */
export interface Served extends AsyncDisposable {
  readonly port: number;
}

/** A request, byte for byte. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Signs it, and may then change what the signature says. */
  readonly sign?: boolean | ((headers: Record<string, string>) => object);
  /** What is signed, where it is not what is sent. */
  readonly signedBody?: string;
  readonly signedPath?: string;
  /** Leaves the body without an end. */
  readonly unending?: boolean;
}

/** A handler's view of one event. */
export interface Seen {
  readonly kind: string | null;
  readonly ambiguous: boolean;
  readonly form: string;
  readonly data: unknown;
  readonly kinds?: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/** A running receiver and what it has told. */
export interface Running extends AsyncDisposable {
  readonly events: Seen[];
  readonly invalid: {
    readonly reason: string;
    readonly kinds: readonly string[];
    readonly violations: readonly {
      readonly pointer: string;
      readonly keyword: string;
      readonly index?: number;
    }[];
    readonly text: string;
    readonly data: unknown;
    readonly events: readonly {
      readonly index: number;
      readonly event: Omit<Seen, 'parameters'>;
    }[];
  }[];
  readonly records: DeliveryRecord[];
  send(sent: Sent): Promise<Answer>;
}

export const secret = 'example-secret-of-the-webhook';
export const apikey = 'example-api-key';
export const signingKey = 'example-signing-key';

/** Starts receivers of one contract behind one adapter. */
export class Workbench {
  readonly imported: ImportedWebhooks;
  readonly adapter: Adapter;
  readonly #weaken: (options: Record<string, unknown>) => object;

  /** `weaken` changes the options of every receiver: what a suite must notice. */
  constructor(
    imported: ImportedWebhooks,
    adapter: Adapter,
    weaken: (options: Record<string, unknown>) => object = () => ({}),
  ) {
    this.imported = imported;
    this.adapter = adapter;
    this.#weaken = weaken;
  }

  /** A receiver that trusts a secret in a header and deduplicates by content, unless the options say otherwise. */
  async start(more: Record<string, unknown> = {}): Promise<Running> {
    const { main } = this.imported;
    const events: Seen[] = [];
    const invalid: Running['invalid'] = [];
    const records: DeliveryRecord[] = [];
    const options = {
      authenticate: main.sharedSecret({ header: 'x-secret' }, secret),
      deliveryIdentity: 'same-content',
      on: {},
      otherwise: {
        rest: (event: Seen, { parameters }: { parameters: Seen['parameters'] }) => {
          events.push({ ...event, parameters: { ...parameters } });
        },
      },
      onInvalid: (delivery: Running['invalid'][number]) => {
        invalid.push(delivery);
      },
      onEvent: (record: DeliveryRecord) => {
        records.push(record);
      },
      ...more,
    };
    const { receive } = main.createWebhooks({ ...options, ...this.#weaken(options) });
    return { events, invalid, records, ...(await this.serve(receive)) };
  }

  /** A receiver that stores its deliveries with `store`, in an inbox or on an engine. */
  async startStoring(
    place: 'inbox' | 'forward',
    store: (delivery: StoredDelivery, signal?: AbortSignal) => Promise<unknown>,
    more: Record<string, unknown> = {},
  ): Promise<Running> {
    const { main } = this.imported;
    const records: DeliveryRecord[] = [];
    const options = {
      authenticate: main.sharedSecret({ header: 'x-secret' }, secret),
      ...(place === 'inbox' ? { inbox: { receive: store } } : { forward: store }),
      onEvent: (record: DeliveryRecord) => {
        records.push(record);
      },
      ...more,
    };
    const { receive } = main.createWebhooks({ ...options, ...this.#weaken(options) });
    return { events: [], invalid: [], records, ...(await this.serve(receive)) };
  }

  /** Anything that receives, behind the adapter. */
  async serve(receive: Receive): Promise<Pick<Running, 'send' | typeof Symbol.asyncDispose>> {
    const served = await this.adapter.serve(receive);
    return {
      send: (sent) => this.#send(served.port, sent),
      [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    };
  }

  async #send(port: number, sent: Sent): Promise<Answer> {
    const { method = 'POST', path = '/hook', body = '' } = sent;
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const headers: Record<string, unknown> = { 'x-secret': secret, apikey, ...sent.headers };
    if (sent.sign !== undefined && sent.sign !== false) {
      const signed = await this.imported.testing.createSignatureSigner({ key: signingKey }).sign({
        method,
        url: sent.signedPath ?? path,
        headers: (name) => (name === 'apikey' ? [apikey] : []),
        body: sent.signedBody === undefined ? bytes : new TextEncoder().encode(sent.signedBody),
      });
      Object.assign(
        headers,
        signed,
        typeof sent.sign === 'function' ? sent.sign({ ...signed }) : {},
      );
    }
    for (const [name, value] of Object.entries(headers))
      if (value === undefined) delete headers[name];
    return await exchange(port, method, path, headers, bytes, sent.unending === true);
  }
}

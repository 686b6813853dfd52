import type { Readable } from './decision.ts';
import type { HeaderLookup, IncomingRequest, Waiting } from './request.ts';
import type { Target } from './target.ts';

const noBody: Uint8Array = new Uint8Array(0);
const noParameters: Readonly<Record<string, string>> = Object.freeze({});
const noTarget: Target = { path: '', query: '' };

/** A delivery while it is received. Values that are expensive to create are created on first access. */
export class Delivery implements Readable, Waiting {
  readonly request: IncomingRequest;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The raw bytes of the body; empty until the body has been read. */
  body: Uint8Array = noBody;
  /** The path and query of the request, without a secret in the path; set once it is opened. */
  target: Target = noTarget;
  /** The decoded segments of the path that are secret, set once the delivery is authenticated. */
  secretSegments: readonly string[] = [];
  /** The parameters of the label's path, decoded. */
  parameters: Readonly<Record<string, string>> = noParameters;
  /** What its record says unless how it ended says more. */
  declare note?: { readonly detail: string };
  #id: string | undefined;
  #cache: Map<unknown, unknown> | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;
  #isOver = false;

  /** @param id the id of a delivery that was received before */
  constructor(request: IncomingRequest, receivedAt: number, id?: string) {
    this.request = request;
    this.receivedAt = receivedAt;
    this.#id = id;
  }

  get method(): string {
    return this.request.method;
  }

  get headers(): HeaderLookup {
    return this.request.headers;
  }

  get raw(): Uint8Array {
    return this.body;
  }

  get path(): string {
    return this.target.path;
  }

  get query(): string {
    return this.target.query;
  }

  get cache(): Map<unknown, unknown> {
    return (this.#cache ??= new Map());
  }

  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  /** Aborted when the time for the delivery is over. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Whether the time for the delivery is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  whenOver(listener: () => void): void {
    this.#listener = listener;
  }

  end(): void {
    this.#isOver = true;
    this.#controller?.abort();
    this.#listener?.();
  }
}

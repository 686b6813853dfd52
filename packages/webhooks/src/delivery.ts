import type { Readable } from './decision.ts';
import type { HeaderLookup, IncomingRequest, Waiting } from './request.ts';
import type { Target } from './target.ts';

const noBody: Uint8Array = new Uint8Array(0);
const noParameters: Readonly<Record<string, string>> = Object.freeze({});
const noTarget: Target = { path: '', query: '' };

/** A delivery while it is received. What costs something is made for those who look at it. */
export class Delivery implements Readable, Waiting {
  readonly request: IncomingRequest;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** As it travelled; empty before it was read. */
  body: Uint8Array = noBody;
  /** Of the request, once it is authentic. */
  target: Target = noTarget;
  /** Of the label's path, decoded. */
  parameters: Readonly<Record<string, string>> = noParameters;
  #id: string | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;
  #isOver = false;

  constructor(request: IncomingRequest, receivedAt: number) {
    this.request = request;
    this.receivedAt = receivedAt;
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

  get id(): string {
    return (this.#id ??= crypto.randomUUID());
  }

  /** Aborted once the time is over. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Whether nobody waits for it any more. */
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

import type { Readable } from 'node:stream';
import { GrowingBytes } from '../base/index.ts';
import { type Waiting, bodyConsumed, tooLarge } from './contract.ts';

/** The properties in which a body parser may keep the bytes that it has read. */
export interface KeptBody {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * Reads the whole body as `IncomingRequest.read` specifies. If the body was read before, returns the bytes that were
 * kept.
 * @param fix how to fix the setup, for the error where no bytes were kept
 */
export function readBody(
  request: Readable & KeptBody,
  maxBytes: number,
  waiting: Waiting,
  fix: string,
  keptBeside: KeptBody = {},
): Promise<Uint8Array> {
  if (request.readableDidRead || request.readableEnded) {
    const places = [request.rawBody, request.body, keptBeside.rawBody, keptBeside.body];
    const kept = places.find((bytes) => bytes instanceof Uint8Array);
    return kept === undefined ? Promise.reject(bodyConsumed(fix)) : Promise.resolve(kept);
  }
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    let isOver = false;
    const fail = (error: Error): void => {
      isOver = true;
      request.off('data', add).pause();
      reject(error);
    };
    const add = (chunk: Buffer): void => {
      if (body.length + chunk.length > maxBytes) fail(tooLarge());
      else body.add(chunk);
    };
    request.on('data', add);
    request.on('end', () => {
      isOver = true;
      resolve(body.take());
    });
    request.on('error', fail);
    // `close` also follows `end`; the error is created only where the body is incomplete.
    request.on('close', () => {
      if (!isOver) fail(new Error('The request ended before its body was complete.'));
    });
    waiting.whenOver(() => fail(new Error('The body did not arrive in time.')));
  });
}

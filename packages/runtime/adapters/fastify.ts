import { Readable } from 'node:stream';
import type { Outcome, Receive } from '@countersign/runtime/webhooks';
import { readBody, receivedHeaders, receivedTarget } from '@countersign/runtime/webhooks/node';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Creates a Fastify plugin that answers every method and path below its prefix. It reads raw bodies. Routes outside of
 * the plugin keep their parsers.
 */
export function toFastifyPlugin(receive: Receive): FastifyPluginAsync {
  const handler = toHandler(receive);
  return (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    instance.addHook('onRequest', acceptAnyType);
    if (instance.prefix !== '') instance.all('', handler);
    instance.all('/*', handler);
    return Promise.resolve();
  };
}

function toHandler(receive: Receive): (request: FastifyRequest, reply: FastifyReply) => void {
  receive.admit?.('node');
  return (request, reply) => {
    receive({
      method: request.method,
      target: receivedTarget(request.raw),
      headers: receivedHeaders(request.raw),
      connection: request.raw.socket,
      read: (maxBytes, waiting) => readBody(payloadOf(request), maxBytes, waiting, fix, request),
    })
      .then((outcome) => respond(reply, outcome))
      .catch((error: unknown) => void reply.send(error));
  };
}

/** Sends the response. Does not await the reply, because that would wait until it is sent completely. */
function respond(reply: FastifyReply, { status, headers, body }: Outcome): void {
  void reply
    .code(status)
    .headers({ ...headers })
    .send(body);
}

/**
 * Returns the body stream: that of the content type parser, because a hook may have replaced the request's stream.
 * Fastify calls no parser for a request without a body.
 */
function payloadOf({ body, raw }: FastifyRequest): Readable {
  return body instanceof Readable ? body : raw;
}

/**
 * Replaces a missing or invalid content type, for which Fastify would refuse the request before any handler. The
 * receiver ignores content types.
 */
function acceptAnyType({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (!mediaType.test(raw.headers['content-type'] ?? ''))
    raw.headers['content-type'] = 'application/octet-stream';
  done();
}

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/u;

const fix =
  'Exclude the prefix of the receiver from hooks and middleware that read bodies, or let them keep the bytes as request.rawBody.';

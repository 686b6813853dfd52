import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Guard } from './guard.ts';
import { members, readBody, required, text } from './input.ts';
import { findPageFile, type PageFiles } from './page-files.ts';
import { type Refusal, RefusedRequest } from './refused-request.ts';
import { securityHeaders } from './security-headers.ts';

/** What a console serves. */
export interface PageAppOptions {
  readonly guard: Guard;
  readonly page: PageFiles;
  /** Served under `/api`, for callers of the guard. */
  readonly routes: readonly Hono[];
  /** Returns the refusal for an expected error of a route, and `undefined` for others. */
  readonly toRefusal?: (error: unknown) => Refusal | undefined;
}

/** The largest body of a request. */
const maxBodyBytes = 2 * 1024 * 1024;

/** Assembles a console: the page for anyone on this machine, and under `/api` the routes for callers of the guard. */
export function createPageApp({ guard, page, routes, toRefusal }: PageAppOptions): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const { status, code, message } =
      error instanceof RefusedRequest ? error.refusal : (toRefusal?.(error) ?? unknownError);
    return context.json({ error: { code, message } }, status);
  });
  app.notFound((context) =>
    context.json({ error: { code: 'not-found', message: 'There is nothing at this path.' } }, 404),
  );
  app.use(securityHeaders, guard.checkHost);
  app.use(async (context, next) => {
    await next();
    context.header('cache-control', 'no-store');
  });
  app.use('/api/*', limitBody);
  app.post('/api/session', guard.checkChange, async (context) => {
    const { token } = await readBody(context, members({ token: text(200) }));
    guard.openSession(context, required(token, 'token'));
    return context.json({});
  });
  app.use('/api/*', guard.checkCaller);
  for (const route of routes) app.route('/api', route);
  app.get('*', (context) => {
    const file = findPageFile(page, context.req.path);
    if (file === undefined) return context.notFound();
    return context.body(file.text, 200, { 'content-type': file.type });
  });
  return app;
}

/** Unknown errors are opaque: their text can contain anything. */
const unknownError: Refusal = {
  status: 500,
  code: 'internal',
  message: 'It failed. See the log.',
};

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError() {
    throw new RefusedRequest(413, 'too-large', `A body has at most ${maxBodyBytes} bytes.`);
  },
});

import { Hono } from 'hono';
import { readBody } from './console-context.ts';
import { toRefusal } from './console-error.ts';
import type { Guard } from './guard.ts';
import { members, required, text } from './input.ts';
import { findPageFile, type PageFiles } from './page-files.ts';
import { securityHeaders } from './security-headers.ts';

/** Assembles a console: the page for anyone on this machine, and under `/api` the routes for callers of the guard. */
export function createPageApp(guard: Guard, page: PageFiles, routes: readonly Hono[]): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    const { status, code, message } = toRefusal(error);
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

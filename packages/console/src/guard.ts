import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { RefusedRequest } from './refused-request.ts';

/** The header that every change must have. A form or an image of another page cannot send it. */
const changeHeader = 'x-countersign-console';

/** Decides which requests the console serves. */
export interface Guard {
  /** Refuses requests for other hosts, which a page of another name can send through DNS rebinding. */
  readonly checkHost: MiddlewareHandler;
  /** Refuses requests without a session or the control token, and changes that another page can have sent. */
  readonly checkCaller: MiddlewareHandler;
  /** Refuses changes that another page can have sent. */
  readonly checkChange: MiddlewareHandler;
  /** Returns a new token that opens one session. */
  issueToken(): string;
  /**
   * Exchanges a token for the cookie of a new session.
   * @throws RefusedRequest for a token that is unknown or has been used
   */
  openSession(context: Context, token: string): void;
}

/** Creates a guard. `hosts` returns the values of `Host` that name the console. */
export function createGuard(
  hosts: () => readonly string[],
  controlToken: string | undefined,
): Guard {
  // Only hashes are kept and compared: all have one length, and the comparison takes constant time.
  const tokens = new Set<string>();
  const sessions = new Set<string>();
  // Cookies are sent to every port of a host, and several consoles can run on one machine.
  const cookieName = `countersign-console-${randomBytes(6).toString('hex')}`;

  const hostOf = ({ req }: Context): string => (req.header('host') ?? '').toLowerCase();
  const hasBearer = ({ req }: Context): boolean => {
    const [, token] = /^Bearer ([\w.~+/=-]+)$/iu.exec(req.header('authorization') ?? '') ?? [];
    return (
      controlToken !== undefined &&
      token !== undefined &&
      timingSafeEqual(digest(token), digest(controlToken))
    );
  };
  const refuseForeign = (context: Context): void => {
    const { req } = context;
    const site = req.header('sec-fetch-site');
    const origin = req.header('origin');
    const isOwn = origin === `http://${hostOf(context)}`;
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
    if (isForeign || (origin !== undefined && !isOwn))
      throw new RefusedRequest(
        403,
        'forbidden-origin',
        'Only the console itself can send requests from a browser.',
      );
    if (req.method === 'GET' || req.method === 'HEAD') return;
    if (origin === undefined && !hasBearer(context))
      throw new RefusedRequest(403, 'forbidden-origin', 'A change needs the header Origin.');
    if (req.header(changeHeader) === undefined)
      throw new RefusedRequest(403, 'missing-header', `A change needs the header ${changeHeader}.`);
  };

  return {
    async checkHost(context, next) {
      if (!hosts().includes(hostOf(context)))
        throw new RefusedRequest(403, 'forbidden-host', 'The header Host names another server.');
      await next();
    },
    async checkChange(context, next) {
      refuseForeign(context);
      await next();
    },
    async checkCaller(context, next) {
      refuseForeign(context);
      const session = getCookie(context, cookieName);
      const hasSession = session !== undefined && sessions.has(hex(session));
      if (!hasSession && !hasBearer(context))
        throw new RefusedRequest(
          401,
          'not-authenticated',
          'Open the console with the link that was printed when it started.',
        );
      await next();
    },
    issueToken() {
      const token = randomBytes(24).toString('base64url');
      tokens.add(hex(token));
      return token;
    },
    openSession(context, token) {
      if (!tokens.delete(hex(token)))
        throw new RefusedRequest(
          401,
          'not-authenticated',
          'The link was used before: it opens the console once. Restart the command that printed it, which prints a new one.',
        );
      const session = randomBytes(32).toString('base64url');
      sessions.add(hex(session));
      setCookie(context, cookieName, session, { httpOnly: true, sameSite: 'Strict', path: '/' });
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hex(text: string): string {
  return digest(text).toString('hex');
}

import { createHash } from 'node:crypto';
import type { SimulatorContext } from '../context.ts';

/** The state of an access token. */
export type TokenState =
  | { readonly kind: 'valid' | 'unknown' | 'revoked' }
  | { readonly kind: 'expired'; readonly secondsAgo: number };

/** The access tokens that were issued. */
export interface AccessTokens {
  /** Makes a token that the seed decides. */
  create(): string;
  /** Accepts a token from now on. Without a lifetime in seconds, it does not expire. */
  issue(scheme: string, token: string, lifetime: number | undefined): void;
  stateOf(scheme: string, token: string): TokenState;
  /** Ends all tokens. */
  revoke(): void;
}

/** Marks the tokens of a simulator, so that they are recognized wherever they occur. */
const prefix = 'simulated-token-';

/** The number of tokens that are remembered, to tell an expired one from one that was never issued. */
const maximumTokens = 10_000;

/** Creates a store of access tokens. They expire by the simulator's clock. */
export function createAccessTokens({
  clock,
  random,
  redactor,
}: Pick<SimulatorContext, 'clock' | 'random' | 'redactor'>): AccessTokens {
  // A digest as the key: a lookup takes as long for a token that resembles an issued one.
  const tokens = new Map<string, { readonly expiresAt: number; isRevoked: boolean }>();
  let count = 0;
  redactor.addPattern(/simulated-token-[\da-f]{32}/u);
  // The same in Base64.
  redactor.addPattern(/c2ltdWxhdGVkLXRva2Vu[\w+/-]{20,}={0,2}/u);
  return {
    create() {
      count += 1;
      return `${prefix}${random.fork(`token ${count}`).uuid().replaceAll('-', '')}`;
    },
    issue(scheme, token, lifetime) {
      // A token of a handler has a form of its own.
      if (!token.startsWith(prefix)) redactor.add(token);
      const key = keyOf(scheme, token);
      tokens.delete(key);
      const expiresAt = lifetime === undefined ? Infinity : clock.now() + 1000 * lifetime;
      tokens.set(key, { expiresAt, isRevoked: false });
      const [oldest] = tokens.keys();
      if (tokens.size > maximumTokens && oldest !== undefined) tokens.delete(oldest);
    },
    stateOf(scheme, token) {
      const issued = tokens.get(keyOf(scheme, token));
      if (issued === undefined) return { kind: 'unknown' };
      if (issued.isRevoked) return { kind: 'revoked' };
      const late = clock.now() - issued.expiresAt;
      return late < 0
        ? { kind: 'valid' }
        : { kind: 'expired', secondsAgo: Math.floor(late / 1000) };
    },
    revoke() {
      for (const token of tokens.values()) token.isRevoked = true;
    },
  };
}

function keyOf(scheme: string, token: string): string {
  return createHash('sha256').update(`${scheme}\n${token}`).digest('latin1');
}

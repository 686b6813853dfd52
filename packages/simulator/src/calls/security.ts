import type { SimulatorContext } from '../context.ts';
import type { CheckStep } from '../entry.ts';
import type { ServedOperation, ServedScheme } from '../service.ts';
import type { AccessTokens } from './access-tokens.ts';
import { compileApiKey } from './api-key-check.ts';
import { compileHttp } from './http-check.ts';
import type { ReceivedCall } from './received-call.ts';
import type { SchemeCheck } from './scheme-check.ts';
import { keyPairSchemeOf } from '../key-pairs.ts';
import { compileKeyPairSignature } from './key-pair-check.ts';
import { compileSignature } from './signature-check.ts';
import { compileToken } from './token-check.ts';

/** Checks the security of calls of one operation. */
export interface SecurityCheck {
  readonly check: (call: ReceivedCall) => Promise<readonly CheckStep[]>;
  /** The value of `WWW-Authenticate` of a refusal. */
  readonly challenge: string | undefined;
}

/** Compiles the checks of all security schemes, and returns the compiler of an operation's security. */
export function compileSecurity(
  context: SimulatorContext,
  tokens: AccessTokens,
): (operation: Pick<ServedOperation, 'security'>) => SecurityCheck {
  const schemes = new Map(
    context.description.security.map((scheme) => [
      scheme.id,
      compileScheme(scheme, context, tokens),
    ]),
  );
  return ({ security }) => {
    const alternatives = security.map((required) =>
      required
        .map(({ scheme: id }) => schemes.get(id) ?? unchecked(id))
        .toSorted((a, b) => a.rank - b.rank),
    );
    const challenge = alternatives.flat().find((scheme) => scheme.challenge !== undefined);
    return {
      challenge: challenge?.challenge,
      async check(call) {
        let best: { readonly steps: readonly CheckStep[]; readonly score: number } | undefined;
        for (const alternative of alternatives) {
          const steps: CheckStep[] = [];
          for (const scheme of alternative) steps.push(...(await scheme.check(call)));
          const failures = steps.filter(({ outcome }) => outcome === 'failed').length;
          if (failures === 0) return steps;
          // A refusal is explained by the alternative that the call tries to satisfy.
          const present = alternative.filter((scheme) => scheme.isPresent(call)).length;
          const score = present / alternative.length - failures / 100;
          if (best === undefined || score > best.score) best = { steps, score };
        }
        return best?.steps ?? [];
      },
    };
  };
}

/** What checks need of a scheme. */
interface CheckedScheme {
  readonly scheme: ServedScheme;
  /** The value of its credential. */
  readonly secret: string | undefined;
  readonly context: SimulatorContext;
  readonly tokens: AccessTokens;
}

/** The checks of each kind of scheme; the first that applies counts. None is of a signature in the body: calls have none. */
const compilers: readonly ((checked: CheckedScheme) => SchemeCheck | undefined)[] = [
  ({ scheme }) => (scheme.bodyScheme === undefined ? undefined : unchecked(scheme.id)),
  ({ scheme, secret, context }) => {
    const pair = keyPairSchemeOf(scheme, (value) => context.settle(value));
    return pair && secret !== undefined
      ? compileKeyPairSignature(scheme, pair, secret, context)
      : undefined;
  },
  ({ scheme, secret, context }) =>
    scheme.signature !== undefined && secret !== undefined
      ? compileSignature(scheme, scheme.signature, secret, context)
      : undefined,
  ({ scheme, secret, context, tokens }) => {
    if (scheme.accessToken === undefined) return undefined;
    // A client can also have a token that it did not request: the credential itself.
    if (secret !== undefined) tokens.issue(scheme.id, secret, undefined);
    return compileToken(scheme, scheme.accessToken, tokens, context);
  },
  ({ scheme, secret }) =>
    scheme.type === 'apiKey' && secret !== undefined ? compileApiKey(scheme, secret) : undefined,
  ({ scheme, secret }) => {
    const { type, httpScheme } = scheme;
    const isChecked =
      type === 'oauth2' ||
      type === 'openIdConnect' ||
      (type === 'http' &&
        (httpScheme === 'basic' || httpScheme === 'bearer' || secret !== undefined));
    return isChecked ? compileHttp(scheme, secret) : undefined;
  },
];

function compileScheme(
  scheme: ServedScheme,
  context: SimulatorContext,
  tokens: AccessTokens,
): SchemeCheck {
  const { credentials } = context;
  const secret = scheme.credential === undefined ? undefined : credentials[scheme.credential];
  const checked = { scheme, secret, context, tokens };
  for (const compile of compilers) {
    const check = compile(checked);
    if (check !== undefined) return check;
  }
  return unchecked(scheme.id);
}

/** Returns the check of a scheme that the simulator cannot check, such as mutual TLS. */
function unchecked(id: string): SchemeCheck {
  const steps: readonly CheckStep[] = [
    {
      name: 'http-authentication',
      outcome: 'warned',
      code: 'scheme-not-checked',
      message: `The simulator does not check the security scheme \`${id}\`.`,
    },
  ];
  return { rank: 4, isPresent: () => true, check: () => steps };
}

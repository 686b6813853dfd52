import {
  describeSecrets,
  pathSecretWarning,
  type SecretCode,
  secretForTests,
  secretStrategyCode,
  secretWarning,
  type StrategyCode,
} from 'countersign/companion/printing';
import { secretVariable } from 'countersign/companion/secrets';
import { literal, object, type SecretPlace } from 'countersign/kit';
import {
  type AuthenticationPlan,
  deliveriesWith,
  secretInTests,
  secretSettings,
  wordsOf,
} from './plan.ts';
import type { ProofPlanner } from './planner.ts';

/** Secrets that requests carry. */
export const secretPlanner: ProofPlanner<'secret'> = {
  plan(contract, { scheme }) {
    const secret = describeSecrets(contract).find((candidate) => candidate.scheme === scheme);
    if (secret === undefined) throw new TypeError(`${scheme} is no secret.`);
    const planSecret = secretPlans[secret.place] ?? carriedSecret;
    return { ...secretStrategyCode(secret, secretInTests), ...planSecret(secret) };
  },
};

type SecretPlan = Omit<AuthenticationPlan, keyof StrategyCode>;

/** The plans for secrets in places that have an option of their own in both commands. */
const secretPlans: Partial<Readonly<Record<SecretPlace, (secret: SecretCode) => SecretPlan>>> = {
  header: ({ parameterName, ...secret }) => ({
    ...secretSettings(parameterName),
    sendOptions: wordsOf('--header-env', parameterName, `=${secretVariable}`),
    about: `${deliveriesWith(secret)} a secret in the header ${parameterName}, as the contract states.`,
  }),
  path: (secret) => ({
    about: `${deliveriesWith(secret)} a secret as a segment of the path of the registered URL, as the contract states. ${pathSecretWarning}`,
    variables: [
      {
        name: secretVariable,
        about:
          'The secret segment of the path of the registered URL: long and random, without `/`.',
        inTests: secretInTests,
      },
    ],
    questions: [],
    simulated: object({ pathSecret: literal(secretInTests) }),
    sendOptions: ['--path-secret-env', secretVariable],
  }),
};

/** Plans a secret that both commands send, as the contract states it, from the variable of the secret. */
function carriedSecret(secret: SecretCode): SecretPlan {
  const { what, isAlone } = secret;
  const inTests = secretForTests(secret, secretInTests);
  const warning = secretWarning(secret);
  return {
    about:
      `${deliveriesWith(secret)} a ${what}, as the contract states${isAlone ? '' : ', which requires other schemes beside it'}.` +
      (warning === undefined ? '' : ` ${warning}`),
    variables: [
      {
        name: secretVariable,
        about: `The ${what}, which every delivery carries: long and random.`,
        inTests,
      },
    ],
    questions: [],
    simulated: object({ key: literal(inTests) }),
    sendOptions: [],
  };
}

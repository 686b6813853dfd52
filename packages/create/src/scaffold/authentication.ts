import {
  nounOf,
  type Proof,
  proofsOf,
  type ReadyKind,
  type ReadyProof,
  readyProofs,
  type UnreadyProof,
} from 'countersign/companion/deliveries';
import { describeCombination, sharedSecretCode } from 'countersign/companion/printing';
import { secretHeader } from 'countersign/companion/secrets';
import { code, type Contract, literal, object } from 'countersign/kit';
import {
  type Answers,
  type AuthenticationPlan,
  secretInTests,
  secretSettings,
} from './proofs/plan.ts';
import type { ProofPlanner } from './proofs/planner.ts';
import { proofPlanners } from './proofs/planners.ts';

type VerifiedProof = Exclude<Proof, UnreadyProof>;

const kinds = Object.keys(proofPlanners) as readonly ReadyKind[];

/** Returns the planner of the kind of a proof, which takes this proof. */
function plannerOf({ kind }: VerifiedProof): ProofPlanner<ReadyKind> {
  return proofPlanners[kind] as ProofPlanner<ReadyKind>;
}

/** The authentication choice that needs nothing of the contract. */
export const sharedSecretChoice = 'shared-secret';

/** Returns the proofs that receivers can verify: first those of the first kinds. */
function verifiableProofs({ authentication }: Contract): readonly VerifiedProof[] {
  const proofs = readyProofs(authentication);
  return kinds.flatMap((kind) => proofs.filter((proof) => proof.kind === kind));
}

/** Returns those that an application can verify with what the contract states. */
function plannedProofs(contract: Contract): readonly VerifiedProof[] {
  return verifiableProofs(contract).filter((proof) => plannerOf(proof).plan !== undefined);
}

function statedProofs(contract: Contract): readonly VerifiedProof[] {
  return plannedProofs(contract).filter(({ isStated }) => isStated);
}

/** Returns the authentication choices: a shared secret in a header, or the id of a signature or secret of the contract. */
export function authenticationChoices(contract: Contract): readonly string[] {
  return [sharedSecretChoice, ...plannedProofs(contract).map(({ scheme }) => scheme)];
}

/**
 * Returns the choice for the signature or secret that the contract states, or else the shared secret: deliveries are
 * authenticated also if the contract states that they need no proof, or one that receivers have no function for. Returns
 * `undefined` for a contract that states nothing: a proof that services do not send would refuse every real delivery,
 * and the tests of the application would pass.
 */
export function defaultAuthentication(contract: Contract): string | undefined {
  if (contract.authentication.isUnstated) return undefined;
  return statedProofs(contract)[0]?.scheme ?? sharedSecretChoice;
}

/** Plans the authentication for one of the choices. */
export function planAuthentication(
  contract: Contract,
  choice: string,
  answers: Answers,
): AuthenticationPlan {
  const proof = plannedProofs(contract).find(({ scheme }) => scheme === choice);
  const isDefault = choice === defaultAuthentication(contract);
  const plan = proof && plannerOf(proof).plan?.(contract, proof, { answers, isDefault });
  if (proof === undefined || plan === undefined) return bySharedSecret(contract);
  const { about, ...rest } = withUnverified(contract, plan, proof.scheme);
  return { ...rest, about: [about, ...(proof.isStated ? describeOthers(proof) : [])].join(' ') };
}

/** Returns a sentence about notifications of which the contract does not require a proof; none if there are none. */
function describeOthers({ scheme, notRequiredBy }: ReadyProof): readonly string[] {
  const [first, ...rest] = notRequiredBy;
  if (first === undefined) return [];
  const others =
    rest.length === 0 ? '' : ` and ${rest.length} other${rest.length === 1 ? '' : 's'}`;
  return [
    `The contract does not require ${scheme} of ${first}${others}: here, such a delivery gets 401 without it. Combine what each needs with \`anyOf\`, or select these notifications for a receiver of their own (\`exclude\` in the configuration).`,
  ];
}

/**
 * Adds to the description what the contract also states, and an application with this strategy does not verify.
 * @param scheme that of the proof that it verifies
 */
function withUnverified(
  contract: Contract,
  plan: AuthenticationPlan,
  scheme: string,
): AuthenticationPlan {
  const combined = describeCombination(contract)?.stated;
  const notes = verifiableProofs(contract).flatMap((proof) => {
    const { help } = plannerOf(proof);
    if (help === undefined || proof.scheme === scheme) return [];
    const stated = combined ?? `${proof.scheme}, for some notifications or beside others`;
    return `The contract also states ${nounOf(proof)} ${proof.scheme} (${stated}), which this does not verify: add \`${proof.verify}\`; ${help}.`;
  });
  return { ...plan, about: [plan.about, ...notes].join(' ') };
}

function bySharedSecret(contract: Contract): AuthenticationPlan {
  const settings = secretSettings(secretHeader);
  const plan = { ...sharedSecretCode(secretInTests), about: aboutSharedSecret(contract) };
  if (!statesUnsupported(contract)) return { ...plan, ...settings };
  // Otherwise, the simulator sends nothing: it cannot authenticate deliveries as the contract states.
  return {
    ...plan,
    ...settings,
    simulated: object({
      headers: object([[secretHeader, literal(secretInTests)]]),
      signature: code`false`,
    }),
    sendOptions: [...settings.sendOptions, '--no-signature'],
  };
}

/** Returns whether the contract authenticates notifications only by schemes that neither a receiver nor a sender has. */
function statesUnsupported(contract: Contract): boolean {
  return statedProofs(contract).length === 0 && contract.authentication.isRequired;
}

function aboutSharedSecret(contract: Contract): string {
  if (statedProofs(contract).length > 0)
    return `Every delivery carries a secret in the header ${secretHeader}.`;
  for (const proof of verifiableProofs(contract)) {
    const planner = plannerOf(proof);
    if (planner.plan === undefined) return planner.instead(contract, proof);
  }
  if (contract.authentication.isNone)
    return `The contract states that nothing in a delivery authenticates it: every client that knows the URL can send one. Here, each must carry a secret in the header ${secretHeader}, which a proxy can add after it has verified the sender. Choose another strategy that the network can prove, or switch authentication off with \`unauthenticated()\`.`;
  if (statesUnsupported(contract))
    return `The contract states for deliveries: ${proofsOf(contract, 'unready')
      .map(({ scheme, what }) => `${scheme} (${what})`)
      .join(
        ', ',
      )}. The generated package has no ready strategy for that. Here, each delivery carries a secret in the header ${secretHeader}: before you receive real ones, write a function for \`authenticate\`, such as \`async ({ headers }) => await isAuthentic(headers('authorization'))\`.`;
  return `The contract does not say how a delivery is authenticated. Here, each carries a secret in the header ${secretHeader}: agree on it with the operator of the service, or choose another strategy.`;
}

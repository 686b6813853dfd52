import { groupsToDistinguish } from 'countersign/companion/application';
import {
  describePagination,
  notificationsWithSeveralPayloads,
  proposePagination,
} from 'countersign/companion/contract';
import { schemesOfNotifications } from 'countersign/companion/deliveries';
import type { Mount } from 'countersign/companion/frameworks';
import type { Contract, SecurityScheme } from 'countersign/kit';
import type { FolderFacts } from './contract-facts.ts';
import { configurationName } from './contract-project.ts';

/** Returns what to do where the user left open what states the kind of a notification; nothing where none is open. */
export function noteAboutKinds(contract: Contract): readonly string[] {
  const open = new Set(groupsToDistinguish(contract).flat()).size;
  if (open === 0) return [];
  return [
    `Nothing distinguishes ${open} of ${contract.notifications.length} notifications, so their deliveries arrive as unions. Select the events that you handle with \`include\`, and tell their deliveries apart with \`x-identified-by\`: \`countersign explain indistinct-notifications\` has an example.`,
  ];
}

/** Returns how the alternatives of a payload become kinds; nothing where no payload has any. */
export function noteAboutUnions(contract: Contract): readonly string[] {
  const several = notificationsWithSeveralPayloads(contract);
  const [first, ...others] = several;
  if (first === undefined) return [];
  const { notification, count } = first;
  const more =
    others.length === 0 ? '' : `, and there are ${others.length} more such notifications`;
  return [
    `The payload of ${notification.id} is one of ${count} schemas${more}. Its deliveries are one kind, with one handler. For a handler of each schema, describe each as a notification in an overlay: \`countersign explain several-payloads\` says how.`,
  ];
}

/** Returns what follows where a contract does not state which deliveries are repetitions. */
export function noteAboutDuplicates({ notifications }: Contract): readonly string[] {
  const open = notifications.filter(({ dedupeBy }) => dedupeBy === undefined).length;
  if (open === 0) return [];
  const about = open === notifications.length ? '' : ` of ${open} of ${notifications.length} kinds`;
  return [
    `The contract does not say which deliveries${about} are the same, so a handler is called again for a repetition. Declare it with \`x-dedupe-by\`.`,
  ];
}

/**
 * Returns what to do where the contract describes a secret of notifications as a signature. A receiver then compares a
 * secret, which no signed delivery has.
 */
export function noteAboutDescribedSignatures(contract: Contract): readonly string[] {
  return schemesOfNotifications(contract)
    .filter(isDescribedSignature)
    .map(
      ({ id, parameterName = id }) =>
        `The contract states that ${parameterName} is a secret, and describes a signature. Deliveries that are signed would get 401: state the form with \`x-signature\` in an overlay, or remove what \`init\` wrote, and run it with \`--signature <form> --signature-header ${parameterName}\`.`,
    );
}

function isDescribedSignature({
  type,
  in: place,
  parameterName = '',
  description = '',
  signature,
  bodySignature,
}: SecurityScheme): boolean {
  return (
    type === 'apiKey' &&
    place === 'header' &&
    signature === undefined &&
    bodySignature === undefined &&
    /hmac|signature|signed|\bsha-?\d/iu.test(`${parameterName} ${description}`)
  );
}

/**
 * Returns the statement that the names in a contract suggest for the first call that seems to return a page of a list; nothing
 * without such a call. The overlays do not have it: a wrong guess would end lists too early.
 */
export function noteAboutLists(contract: Contract): readonly string[] {
  const lists = contract.operations.flatMap((operation) => {
    const proposed = proposePagination(contract, operation);
    return proposed === undefined ? [] : [{ id: operation.id, proposed }];
  });
  const [first] = lists;
  if (first === undefined) return [];
  const [calls, state] = lists.length === 1 ? ['call', 'does'] : ['calls', 'do'];
  return [
    `${lists.length} ${calls} seem${lists.length === 1 ? 's' : ''} to return one page of a list, and ${state} not state how it goes on, such as ${first.id}: \`${describePagination(first.proposed)}\`, as the names suggest. Compare it with the service, and add it by an overlay; \`countersign lint\` has a proposal for each.`,
  ];
}

/** Returns how an application mounts the receiver in a file. */
export function noteAboutMount(path: string, mount: Mount | undefined): string {
  const { code, place } = mount ?? {};
  const line = code === undefined ? '' : `: \`${code}\``;
  return `Mount \`webhooks\` of ${path} in the application${line}${place === undefined ? '' : `, ${place}`}.`;
}

/** Returns the options that the existing receiver must have. */
export function noteAboutKeptReceiver(path: string, strategy: string): string {
  return `${path} was kept. Its \`authenticate\` must be the result of \`${strategy}\` of the generated code. To get a new file, move this one, and run \`init\` without the configuration.`;
}

/**
 * Returns what to do in an application whose package.json does not make its files ES modules, if Node runs them. One with
 * a compiler that takes no imports of `.ts` is built.
 */
export function noteAboutModules(folder: FolderFacts, receiver: string): readonly string[] {
  const { isModule, hasCompiler, takesTsImports } = folder;
  if (isModule || (hasCompiler && !takesTsImports)) return [];
  const name = configurationName(folder);
  const [importNote, importAdvice] = takesTsImports
    ? ['', '']
    : [
        ', and imports end in .js, which requires a build',
        `, add \`importExtension: '.ts'\` to ${name}, run \`countersign generate\`, and let the import in ${receiver} end in .ts`,
      ];
  return [
    `package.json has no \`"type": "module"\`, so the configuration is ${name}${importNote}. For Node alone, run \`npm pkg set type=module\`${importAdvice}.`,
  ];
}

import type { TargetEntry } from 'countersign';
import {
  type ConfiguredContract,
  formatEntry,
  targetOf,
  targetOptions,
} from 'countersign/companion/application';
import { targetName } from 'countersign/companion/configuration';
import { enginesOf, inboxStoresOf } from 'countersign/companion/frameworks';
import { CommandError } from 'countersign/companion/terminal';
import type { ScaffoldFramework } from './frameworks.ts';
import { isInbox, type StorageName } from './storage.ts';

/** A contract whose notifications an application receives. */
export type ContractToReceive = Pick<ConfiguredContract, 'config' | 'loaded' | 'contract'>;

/**
 * @throws CommandError if the contract has no notifications, or a package that the application imports is not generated
 */
export function assertReceivable(
  configured: ContractToReceive,
  { target }: ScaffoldFramework,
  storage: StorageName | undefined,
): void {
  assertReceiving(configured);
  const { config, loaded } = configured;
  const targets = config.targets.map(targetName);
  const missing = [...new Set(['contract', 'webhooks', target])].filter(
    (name) => !targets.includes(name),
  );
  const entries = config.targets.map((entry) => toStoring(entry, storage));
  if (missing.length === 0 && entries.every((entry, index) => entry === config.targets[index]))
    return;
  const line = [
    ...entries.map(formatEntry),
    ...missing.map((name) => formatEntry(toStoring(name, storage))),
  ].join(', ');
  const option = isInbox(storage) ? 'inbox' : 'forward';
  const what = missing.length === 0 ? `the option \`${option}\` of the target` : 'the target';
  throw new CommandError(
    'missing-target',
    `${loaded.file} does not have ${what} that the application needs. Change the line to\n\n` +
      `  targets: [${line}],\n\nand run \`countersign generate\`.`,
  );
}

/** Returns an entry of the configuration, with the storage if it is the receiver's and lacks it. */
function toStoring(entry: TargetEntry, storage: StorageName | undefined): TargetEntry {
  if (storage === undefined || targetName(entry) !== 'webhooks') return entry;
  const options = targetOptions(entry);
  const configured = isInbox(storage) ? inboxStoresOf(options) : enginesOf(options);
  if (configured.some((name) => name === storage)) return entry;
  const all = [...configured, storage];
  return { use: targetOf(entry), ...options, [isInbox(storage) ? 'inbox' : 'forward']: all };
}

/** @throws CommandError `nothing-to-receive` if the contract has no notifications */
export function assertReceiving({ contract }: ContractToReceive): void {
  if (contract.notifications.length === 0)
    throw new CommandError('nothing-to-receive', 'The contract has no notifications.');
}

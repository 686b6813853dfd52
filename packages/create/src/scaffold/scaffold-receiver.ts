import { join, resolve } from 'node:path';
import { type NewFile, writeUserFiles } from 'countersign/companion/application';
import { assertNotLinkedOut, toRelativeReference } from 'countersign/companion/paths';
import { formatOwnedFile } from 'countersign/companion/printing';
import { CommandError, printable } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import { rendererFor } from '../templates.ts';
import { assertReceivable, type ContractToReceive } from './assert-receivable.ts';
import { planReceiver } from './plan-receiver.ts';
import type { AuthenticationPlan } from './proofs/plan.ts';
import { readText } from './read-application.ts';
import { assertOutside, authenticationOf, type ScaffoldRequest } from './scaffold-application.ts';
import { isInbox } from './storage.ts';

/**
 * Writes the receiver of an application that has the generated code in a folder (`layout: 'folder'`): the application is
 * the user's, so that it is one file.
 * @throws CommandError `usage`, `nothing-to-receive`, `missing-target`; `occupied` if the file exists
 */
export async function scaffoldReceiver(
  configured: ContractToReceive,
  { framework, directory, from, authenticate, storage, answers }: ScaffoldRequest,
): Promise<{ readonly file: NewFile; readonly strategy: AuthenticationPlan }> {
  const { config, loaded, contract } = configured;
  if (storage !== undefined)
    throw new CommandError(
      'usage',
      isInbox(storage)
        ? "--inbox requires `layout: 'packages'`: the receiver and its worker are an application of their own."
        : `--forward requires \`layout: 'packages'\`: the receiver and its consumer are an application of their own. For a folder, the README of ${printable(config.output)}/webhooks shows both.`,
    );
  assertReceivable(configured, framework, undefined);
  const folder = resolve(from, directory);
  assertOutside(folder, configured, directory);
  assertNotLinkedOut(folder, loaded.folder);
  const path = 'webhooks.ts';
  const planned = planReceiver(contract, {
    framework,
    authentication: authenticationOf(authenticate, contract),
    answers,
    output: toRelativeReference(join(folder, path), resolve(loaded.folder, config.output)),
    ...optional('importExtension', config.importExtension),
  });
  if (planned === undefined)
    throw new CommandError(
      'usage',
      `A receiver for ${framework.title} with the open questions of this contract needs more than one file. \`scaffold\` writes them with \`layout: 'packages'\`; for a folder, the README of ${printable(config.output)}/${framework.target} shows them.`,
    );
  if ((await readText(folder, path)) !== undefined)
    throw new CommandError(
      'occupied',
      `${printable(directory)}/${path} exists. Nothing was written. To see the handlers that it lacks, run \`countersign scaffold --missing ${printable(directory)}\`.`,
    );
  const render = await rendererFor('init');
  const file = { path, text: await formatOwnedFile(path, render('receiver.ts', planned.data)) };
  await writeUserFiles(folder, { creates: [file], edits: [] });
  return { file, strategy: planned.strategy };
}

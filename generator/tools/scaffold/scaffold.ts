import { formatFile } from '../../targets/format.ts';
import { oneLine } from '../../targets/package/prose.ts';
import type { Render } from '../../targets/render.ts';
import type { SourceTexts } from './application-sources.ts';
import { renderApplication, unansweredQuestions } from './application.ts';
import type { Application } from './application-settings.ts';
import { type UpdatePlan, planUpdate } from './update-plan.ts';
import type { NewFile } from './write-application.ts';
import { ScaffoldError, wholeFile } from './scaffold-error.ts';

/** The changes to a folder: a new application, or additions to an existing one. */
export type ScaffoldPlan =
  | { readonly kind: 'new'; readonly creates: readonly NewFile[]; readonly edits: readonly [] }
  | ({ readonly kind: 'updated' } & UpdatePlan);

/** The files of the application's folder. */
export interface ApplicationFolder {
  readonly sources: SourceTexts;
  /** Returns the text of a file, or `undefined` if it does not exist. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/**
 * Plans a new application, or the handlers that an existing one lacks. A folder gets a new application if it has no
 * registration and no conflicting files. Files with exactly the planned text, such as those of an interrupted run, do
 * not conflict.
 * @param all whether to also add handlers for what `otherwise` handles
 * @throws ScaffoldError
 */
export async function planScaffold(
  { sources, readText }: ApplicationFolder,
  application: Application,
  render: Render,
  all: boolean,
): Promise<ScaffoldPlan> {
  const update = await planUpdate(sources, application, all);
  if (update !== undefined) return { kind: 'updated', ...update };

  const open = unansweredQuestions(application);
  if (open.length > 0) {
    throw new ScaffoldError(
      'unanswered',
      ...open.map(({ entry }) => ({
        message: `${oneLine(entry.question)} Answer with --answer ${entry.id}=<choice>: ${entry.choices.map(({ name }) => name).join(', ')}`,
      })),
    );
  }
  const creates: NewFile[] = [];
  const inTheWay: string[] = [];
  for (const { path, text } of renderApplication(application, render)) {
    const formatted = await formatFile(path, text);
    const present = await readText(path);
    if (present === undefined) creates.push({ path, text: formatted });
    else if (present !== formatted) inTheWay.push(path);
  }
  if (inTheWay.length > 0) {
    throw new ScaffoldError(
      'no-registration',
      ...inTheWay.map((path) => ({
        message: `prevents a new application, and no file here calls ${callsOf(application)}`,
        place: wholeFile(path),
      })),
    );
  }
  return { kind: 'new', creates, edits: [] };
}

function callsOf({ framework, packageName, workerPackage, inbox }: Application): string {
  if (inbox !== undefined) return `createWorker of ${workerPackage}`;
  const calls = framework.factories.length > 0 ? framework.factories : ['WebhooksModule.forRoot'];
  return `${calls.join(' or ')} of ${packageName}`;
}

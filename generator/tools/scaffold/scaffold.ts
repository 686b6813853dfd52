import { formatFile } from '../../targets/format.ts';
import { oneLine } from '../../targets/package/prose.ts';
import type { Render } from '../../targets/render.ts';
import type { ApplicationSources, SourceTexts } from './application-sources.ts';
import { renderApplication, renderHandler, unansweredQuestions } from './application.ts';
import type { Application } from './application-settings.ts';
import { findProviders } from './find-providers.ts';
import { type Registration, findRegistration } from './find-registration.ts';
import { frameworks } from './frameworks.ts';
import { type UpdatePlan, type NewFile, planUpdate } from './update-plan.ts';
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
  const { handlers } = application;
  const update = await planUpdate(sources, {
    handlers,
    packages: packagesOf(application),
    find: (parsed) => findIn(parsed, application),
    render: (handler) => formatFile('handler.ts', renderHandler(application, handler, render)),
    all,
  });
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

/**
 * Returns the only registration, for any framework.
 * @throws ScaffoldError `other-framework` if it uses another package than the application
 */
function findIn(sources: ApplicationSources, application: Application): Registration | undefined {
  const { framework, packageName, scope, handlers } = application;
  // The package of each framework also exports `createWebhooks`.
  const factories = new Map(
    frameworks
      .filter((known) => known.handlers === 'functions')
      .map(({ target, factories: own }) => [`${scope}/${target}`, [...own, 'createWebhooks']]),
  );
  const registration =
    findRegistration(sources, factories) ??
    findProviders(sources, {
      module: `${scope}/webhooks-nestjs`,
      decorators: new Map(handlers.map(({ mark, name }) => [mark, name])),
      otherwise: 'OnOtherwise',
      invalid: 'OnInvalid',
      moduleClass: 'WebhooksModule',
    });
  if (registration === undefined || registration.module === packageName) return registration;
  const other = frameworks.find(({ target }) => `${scope}/${target}` === registration.module);
  throw new ScaffoldError('other-framework', {
    message: `receives with ${registration.module}: scaffold it as \`${other?.name}\`, not as \`${framework.name}\``,
    place: sources.placeOf(registration.list),
  });
}

function packagesOf({ scope }: Application): readonly string[] {
  return frameworks.map(({ target }) => `${scope}/${target}`);
}

function callsOf({ framework, packageName }: Application): string {
  const calls = framework.factories.length > 0 ? framework.factories : ['WebhooksModule.forRoot'];
  return `${calls.join(' or ')} of ${packageName}`;
}

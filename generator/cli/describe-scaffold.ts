import { posix } from 'node:path';
import type { Application } from '../tools/scaffold/application-settings.ts';
import { packageManagers } from '../execution/package-managers.ts';
import { planInbox } from '../tools/scaffold/inbox.ts';
import type { ScaffoldPlan } from '../tools/scaffold/scaffold.ts';
import type {
  SourcePlace,
  ScaffoldError,
  ScaffoldErrorCode,
} from '../tools/scaffold/scaffold-error.ts';
import { count } from './describe-generation.ts';
import { type Paint } from '../diagnostics/paint.ts';
import { printable } from '../diagnostics/printable.ts';

/**
 * Describes a scaffold run: the files written, the next steps, and the handlers whose notification left the contract.
 */
export function describeScaffold(
  plan: ScaffoldPlan,
  application: Application,
  paint: Paint,
  isInstallable: boolean,
): string {
  const { folder } = application;
  const lines = [
    ...plan.creates.map(({ path }) => `${paint('green', 'created')}  ${at(folder, path)}`),
    ...plan.edits.map(({ path }) => `${paint('yellow', 'updated')}  ${at(folder, path)}`),
    ...(plan.kind === 'new'
      ? describeNew(plan, application, isInstallable)
      : describeGrown(plan, application)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns a scaffold plan as data for `--json`. Paths are relative to the application's folder. */
export function toScaffoldData(plan: ScaffoldPlan): object {
  const { kind, creates, edits } = plan;
  return {
    status: kind,
    created: creates.map(({ path }) => path),
    updated: edits.map(({ path }) => path),
    ...(kind === 'new'
      ? {}
      : {
          added: plan.added,
          removed: plan.removed,
          rest: plan.rest,
          otherStrategy: plan.otherStrategy,
        }),
  };
}

function describeNew(
  { creates }: ScaffoldPlan,
  { folder, strategy, framework, inbox, manager = 'npm' }: Application,
  isInstallable: boolean,
): readonly string[] {
  const shown = printable(folder);
  const preparations = inbox === undefined ? [] : planInbox(inbox, manager).preparations;
  const { install, run } = packageManagers[manager];
  const steps = [install, 'cp .env.example .env', ...preparations, run('test')];
  return [
    `${shown}: ${count(creates.length, 'file')} written, for ${framework.title}`,
    printable(strategy.about),
    ...(isInstallable
      ? []
      : [
          `list ${shown} in the workspaces of ${manager === 'pnpm' ? 'pnpm-workspace.yaml' : 'package.json'}: the packages it needs are there`,
        ]),
    `next, in ${shown}: ${steps.join(', ')}`,
  ];
}

function describeGrown(
  { added, removed, rest, registered, otherStrategy }: Extract<ScaffoldPlan, { kind: 'updated' }>,
  { folder, authentication, packageName, strategy }: Application,
): readonly string[] {
  return [
    added.length === 0
      ? `${printable(folder)}: nothing to add`
      : `${printable(folder)}: ${count(added.length, 'handler')} added`,
    ...(otherStrategy === undefined
      ? []
      : [
          `${placed(folder, otherStrategy.place)}: ${printable(otherStrategy.name)} authenticates deliveries, but the contract states the ${strategy.signer === undefined ? 'secret' : 'signature'} ${printable(authentication)}; use ${strategy.strategy} of ${packageName}`,
        ]),
    ...removed.map(({ name, place, importPlace, file }) => {
      const more = [
        ...(importPlace === undefined ? [] : [`its import (${placed(folder, importPlace)})`]),
        ...(file === undefined ? [] : [at(folder, file)]),
      ];
      const furtherPlaces = more.length === 0 ? '' : `, and also ${more.join(' and ')}`;
      return `${placed(folder, place)}: the contract no longer has ${printable(name)}; remove its handler by hand${furtherPlaces}`;
    }),
    ...(rest.length === 0
      ? []
      : [
          `${placed(folder, registered)}: \`otherwise\` takes what has no handler here: ${rest.join(', ')} (--all adds handlers)`,
        ]),
  ];
}

/** The errors after which the user can still complete the application by hand. */
const completableByHand: ReadonlySet<ScaffoldErrorCode> = new Set([
  'no-registration',
  'several-registrations',
  'unreadable-registration',
  'occupied',
]);

/** Describes why and where a scaffold run was refused, and what to add by hand. */
export function describeRefusal(error: ScaffoldError, application: Application): string {
  const lines = [describeProblems(error, application.folder), 'Nothing was written.'];
  return [...lines, ...(completableByHand.has(error.code) ? byHand(application) : [])].join('\n');
}

/** Describes the problems of an application and their places, a line each. */
export function describeProblems({ problems }: ScaffoldError, folder: string): string {
  const [first = '', ...moreProblems] = problems.map(({ place, message }) =>
    place === undefined ? message : `${placed(folder, place)}: ${message}`,
  );
  return [first, ...moreProblems.map((line) => `  ${line}`)].join('\n');
}

/** Returns a stub of each handler, to paste where the application registers its handlers. */
function byHand({ framework, packageName, handlers }: Application): readonly string[] {
  const isProvider = framework.handlers === 'providers';
  return [
    isProvider
      ? `Add by hand, to a provider, what it does not have yet of (types and decorators are from ${packageName}):`
      : `Add by hand, to \`on\`, what it does not have yet of (types are from ${packageName}):`,
    '',
    ...handlers.map(({ name, mark, eventType }) => {
      const method = `${name}(event: ${eventType}, context: DeliveryContext): void {}`;
      return isProvider ? `  @${mark}() ${method}` : `  ${method},`;
    }),
  ];
}

function placed(folder: string, { path, line, column }: SourcePlace): string {
  return `${at(folder, path)}:${line}:${column}`;
}

function at(folder: string, path: string): string {
  return printable(posix.join(folder.replaceAll('\\', '/'), path));
}

import { posix } from 'node:path';
import type { NewFile } from 'countersign/companion/application';
import { packageManagers } from 'countersign/companion/frameworks';
import { count, type Paint, printable } from 'countersign/companion/terminal';
import { describeNext } from '../describe-next.ts';
import type { Application } from './application-settings.ts';
import { planStorage } from './storage.ts';
import type { OtherStrategy } from './missing-handlers.ts';
import type { ScaffoldError, SourcePlace } from './scaffold-error.ts';

/** Describes a scaffold run: the files written, and the next steps. */
export function describeScaffold(
  creates: readonly NewFile[],
  application: Application,
  paint: Paint,
  isInstallable: boolean,
): string {
  const { folder } = application;
  const lines = [
    ...creates.map(({ path }) => `${paint('green', 'created')}  ${at(folder, path)}`),
    ...(creates.length === 0
      ? [`${printable(folder)}: nothing to write`]
      : describeNew(creates, application, isInstallable)),
  ];
  return `${lines.join('\n')}\n`;
}

function describeNew(
  creates: readonly NewFile[],
  { folder, strategy, framework, storage, manager = 'npm' }: Application,
  isInstallable: boolean,
): readonly string[] {
  const shown = printable(folder);
  const preparations = storage === undefined ? [] : planStorage(storage, manager).preparations;
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
    ...describeNext(steps, folder),
  ];
}

/** Describes how an application authenticates deliveries that does not verify what the contract states. */
export function describeOtherStrategy(
  { name, place, module, scheme, verify }: OtherStrategy,
  folder: string,
): string {
  return `warning: ${placed(folder, place)}: ${printable(name)} authenticates deliveries, and nothing verifies ${printable(scheme)}, which the contract states for them; use ${verify} of ${printable(module)}\n`;
}

/** Describes the problems of an application and their places, one line each. */
export function describeProblems({ problems }: ScaffoldError, folder: string): string {
  const [first = '', ...moreProblems] = problems.map(({ place, message }) =>
    place === undefined ? message : `${placed(folder, place)}: ${message}`,
  );
  return [first, ...moreProblems.map((line) => `  ${line}`)].join('\n');
}

function placed(folder: string, { path, line, column }: SourcePlace): string {
  return `${at(folder, path)}:${line}:${column}`;
}

function at(folder: string, path: string): string {
  return printable(posix.join(folder.replaceAll('\\', '/'), path));
}

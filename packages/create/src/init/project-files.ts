import { posix } from 'node:path';
import type { NewFile } from 'countersign/companion/application';
import { type PackageManager, packageManagers } from 'countersign/companion/frameworks';
import { formatOwnedFile, type Render } from 'countersign/companion/printing';
import { Code } from 'countersign/kit';
import { frameworkNamed } from '../scaffold/frameworks.ts';
import { toPackageName } from '../scaffold/package-name.ts';
import { sortRanges } from '../scaffold/sort-ranges.ts';
import { ciFiles, type InitAnswers, receiverFolder, toSlug } from './questions.ts';

/**
 * Renders and formats all files of a new project that the user maintains, including the configuration.
 * @param toolkit the range of the toolkit's package
 */
export async function renderProject(
  answers: InitAnswers,
  render: Render,
  toolkit: string,
): Promise<readonly NewFile[]> {
  const { ci } = answers;
  const ciFile = ciFiles.get(ci);
  const templates = {
    ...shared,
    ...managerFiles[answers.manager],
    ...(ciFile === undefined ? {} : { [ciFile]: `ci.${ci}.yml` }),
  };
  const data = toData(answers, toolkit);
  return await Promise.all(
    Object.entries(templates).map(async ([path, template]) => ({
      path,
      text: await formatOwnedFile(path, render(template, data)),
    })),
  );
}

/** The template of each file, by the file's path. */
const shared: Readonly<Record<string, string>> = {
  'api/openapi.yaml': 'openapi.yaml',
  'api/asyncapi.yaml': 'asyncapi.yaml',
  'api/schemas/NewOrder.yaml': 'NewOrder.yaml',
  'api/schemas/Order.yaml': 'Order.yaml',
  'api/schemas/OrderStatus.yaml': 'OrderStatus.yaml',
  'api/schemas/Problem.yaml': 'Problem.yaml',
  'test/orders.test.ts': 'orders.test.ts',
  'countersign.config.ts': 'countersign.config.ts',
  'package.json': 'package.json',
  'tsconfig.json': 'tsconfig.json',
  '.vscode/settings.json': 'vscode-settings.json',
  '.gitattributes': 'gitattributes',
  '.gitignore': 'gitignore',
  'README.md': 'README.md',
};

/** The template of each file that only projects with this package manager have, by the file's path. */
export const managerFiles: Readonly<Record<PackageManager, Readonly<Record<string, string>>>> = {
  npm: {},
  pnpm: { 'pnpm-workspace.yaml': 'pnpm-workspace.yaml' },
  yarn: { '.yarnrc.yml': 'yarnrc.yml' },
  bun: {},
};

function toData(
  { title, scope, framework: name, ci, manager }: InitAnswers,
  toolkit: string,
): object {
  const framework = frameworkNamed(name);
  const receivers = [...new Set(['webhooks', framework.target])];
  const { typescript = '', '@types/node': nodeTypes = '' } = framework.devDependencies;
  // npm links every package of the workspace where the project finds it; others link only what it lists.
  const tested = manager === 'npm' ? [] : [`${scope}/client`, `${scope}/simulator`];
  return {
    ...describeProject(title),
    yamlTitle: toYaml(title),
    scope,
    sources: ['*.ts', 'test'],
    targets: ['contract', 'client', ...receivers, 'simulator', 'reference'],
    simulatorPackage: `${scope}/simulator`,
    clientPackage: `${scope}/client`,
    devDependencies: sortRanges({
      ...Object.fromEntries(tested.map((name) => [name, 'workspace:*'])),
      '@types/node': nodeTypes,
      countersign: toolkit,
      typescript,
    }),
    framework: framework.title,
    hasCi: ciFiles.has(ci),
    ciFile: ciFiles.get(ci) ?? '',
    scaffold: `${packageManagers[manager].execute} countersign scaffold --missing apps/receiver`,
    ...toManagerData(manager, toolkit),
  };
}

/** Returns what templates state about a project of a service. */
export function describeProject(title: string): {
  readonly title: string;
  readonly name: string;
  readonly description: string;
} {
  return {
    title,
    name: nameProject(toSlug(title)),
    description: `The contract of ${title}, and what is made from it.`,
  };
}

/** Returns a name for the package of a project, which its receiving application must not have. */
function nameProject(slug: string): string {
  return slug === posix.basename(receiverFolder)
    ? `${slug}-project`
    : toPackageName(slug, 'project');
}

/** Returns the data that depends on the package manager: commands, and where it reads what the project states. */
export function toManagerData(manager: PackageManager, toolkit: string): object {
  const { install, installLocked, execute, lockfile, run, runIn, version, ...shown } =
    packageManagers[manager];
  const scripts = ['generate', 'watch', 'check', 'lint', 'unstated', 'simulate'];
  // Only npm installs a tarball that the project lists for the generated simulator, which requires its version.
  const overrides =
    manager !== 'npm' && toolkit.startsWith('file:') ? { countersign: toolkit } : undefined;
  const build = runIn('generated', 'build');
  return {
    install,
    installLocked,
    execute,
    lockfile,
    installManager: version === undefined ? '' : `npm install --global ${shown.package}@${version}`,
    // pnpm resolves its own pin from the registry, with a package for every platform, and fails if a mirror lacks one.
    packageManager: version === undefined || manager === 'pnpm' ? '' : `${manager}@${version}`,
    workspaces: manager === 'pnpm' ? undefined : ['generated/*', 'apps/*'],
    overrides,
    overridesMember: manager === 'yarn' ? 'resolutions' : 'overrides',
    hasOverrides: overrides !== undefined && manager !== 'pnpm',
    build,
    simulate: `${runIn('apps', 'simulate')}${manager === 'npm' ? ' --' : ''}`,
    typecheck: `${run('build')} && tsc && ${runIn('apps', 'typecheck')}`,
    test: `${run('build')} && node --test "test/**/*.test.ts" && ${runIn('apps', 'test')}`,
    runTest: run('test'),
    run: Object.fromEntries(scripts.map((script) => [script, run(script)])),
    diff: `${execute} countersign diff main`,
    ignored: manager === 'yarn' ? ['.yarn/', '.pnp.*'] : [],
  };
}

/** Quotes a line of text as a YAML string. */
function toYaml(line: string): Code {
  return new Code(`'${line.replaceAll("'", "''")}'`);
}

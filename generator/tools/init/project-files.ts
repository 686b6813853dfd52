import type { NewFile } from '../scaffold/write-application.ts';
import { formatFile } from '../../targets/format.ts';
import { frameworks } from '../scaffold/frameworks.ts';
import { toPackageName } from '../scaffold/package-name.ts';
import { Code } from '../../targets/code.ts';
import { compareCodeUnits } from '../../diagnostics/diagnostic.ts';
import type { Render } from '../../targets/render.ts';
import type { ToolkitPackages } from './toolkit-packages.ts';
import { ciFiles, toSlug, type InitAnswers } from './questions.ts';

/** The folder of the receiving application in a new project. */
export const receiverFolder = 'apps/receiver';

/**
 * Renders and formats all files of a new project that the user maintains, including the configuration.
 * @param toolkit the ranges of the toolkit's packages
 */
export async function renderProject(
  answers: InitAnswers,
  render: Render,
  toolkit: ToolkitPackages['ranges'],
): Promise<readonly NewFile[]> {
  const { ci } = answers;
  const ciFile = ciFiles.get(ci);
  const templates = { ...shared, ...(ciFile === undefined ? {} : { [ciFile]: `ci.${ci}.yml` }) };
  const data = toData(answers, toolkit);
  return await Promise.all(
    Object.entries(templates).map(async ([path, template]) => ({
      path,
      text: await formatFile(path, render(template, data)),
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
  '.gitattributes': 'gitattributes',
  '.gitignore': 'gitignore',
  'README.md': 'README.md',
};

function toData(
  { title, scope, framework: name, ci }: InitAnswers,
  toolkit: ToolkitPackages['ranges'],
): object {
  const framework = frameworks.find((known) => known.name === name);
  if (framework === undefined) throw new TypeError(`There is no framework ${name}.`);
  const receivers = [...new Set(['webhooks', framework.target])];
  const { typescript = '', '@types/node': nodeTypes = '' } = framework.devDependencies;
  return {
    title,
    yamlTitle: toYaml(title),
    name: toPackageName(toSlug(title), 'project'),
    description: `The contract of ${title}, and what is made from it.`,
    scope,
    targets: ['contract', 'client', ...receivers, 'simulator', 'reference'],
    simulatorPackage: `${scope}/simulator`,
    clientPackage: `${scope}/client`,
    devDependencies: Object.fromEntries(
      Object.entries({ '@types/node': nodeTypes, ...toolkit, typescript }).toSorted(([a], [b]) =>
        compareCodeUnits(a, b),
      ),
    ),
    framework: framework.title,
    hasCi: ciFiles.has(ci),
    ciFile: ciFiles.get(ci) ?? '',
  };
}

/** Quotes a line of text as a YAML string. */
function toYaml(line: string): Code {
  return new Code(`'${line.replaceAll("'", "''")}'`);
}

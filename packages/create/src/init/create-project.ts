import { generate, type Generation, loadConfig, readContract } from 'countersign';
import { type NewFile, writeUserFiles } from 'countersign/companion/application';
import { frameworkNamed } from '../scaffold/frameworks.ts';
import { scaffoldApplication } from '../scaffold/scaffold-application.ts';
import { rendererFor } from '../templates.ts';
import { renderProject } from './project-files.ts';
import { type InitAnswers, receiverFolder } from './questions.ts';
import { toolkitPackage } from './toolkit-package.ts';

/** A new project. */
export interface CreatedProject {
  /** The configuration, absolute. */
  readonly file: string;
  readonly created: readonly NewFile[];
  /** The tarball that the project installs the toolkit from, if it does not exist yet. */
  readonly missing: string | undefined;
  readonly generation: Generation;
}

/**
 * Writes a new project into a folder, generates its packages, and writes its receiving application.
 * @param folder absolute, without files of a project
 * @throws OutputError if a file cannot be written
 */
export async function createProject(folder: string, answers: InitAnswers): Promise<CreatedProject> {
  const toolkit = toolkitPackage(folder);
  const created = await renderProject(answers, await rendererFor('init'), toolkit.range);
  await writeUserFiles(folder, { creates: created, edits: [] });
  const loaded = await loadConfig(folder);
  const [config] = loaded.configs;
  const { contract } = config === undefined ? {} : await readContract(config, folder);
  if (config === undefined || contract === undefined)
    throw new TypeError('The contract of new projects has errors.');
  const generation = await generate(config, loaded);
  await scaffoldApplication(
    { config, loaded, contract },
    {
      framework: frameworkNamed(answers.framework),
      directory: receiverFolder,
      from: folder,
      answers: new Map(),
    },
  );
  return { file: loaded.file, created, missing: toolkit.missing, generation };
}

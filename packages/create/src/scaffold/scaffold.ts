import type { NewFile } from 'countersign/companion/application';
import { formatOwnedFile, type Render } from 'countersign/companion/printing';
import { oneLine } from 'countersign/companion/target';
import { renderApplication, unansweredQuestions } from './application.ts';
import type { Application } from './application-settings.ts';
import { ScaffoldError, wholeFile } from './scaffold-error.ts';

/**
 * Plans the files of a new application. Files with exactly the planned text, such as those of an interrupted run, are
 * left out.
 * @param readText returns the text of a file in the folder, or `undefined` if it does not exist
 * @throws ScaffoldError `unanswered`; `occupied` if a file has another text
 */
export async function planScaffold(
  application: Application,
  render: Render,
  readText: (path: string) => Promise<string | undefined>,
): Promise<readonly NewFile[]> {
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
    const formatted = await formatOwnedFile(path, text);
    const present = await readText(path);
    if (present === undefined) creates.push({ path, text: formatted });
    else if (present !== formatted) inTheWay.push(path);
  }
  if (inTheWay.length > 0) {
    throw new ScaffoldError(
      'occupied',
      ...inTheWay.map((path) => ({ message: 'already exists', place: wholeFile(path) })),
    );
  }
  return creates;
}

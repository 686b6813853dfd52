import { CommandError } from '../tools/command-error.ts';

/**
 * Returns an option that is JSON as it is written. A parsed value would round numbers such as amounts.
 * @throws CommandError `usage`
 */
export function readJsonText(option: string, json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  try {
    JSON.parse(json);
    return json;
  } catch {
    throw new CommandError('usage', `${option} is not valid JSON.`);
  }
}

/**
 * Refuses fields of a form in place of JSON, such as `text=hi`, with how to give them.
 * @throws CommandError `usage`, with a message that does not repeat the text
 */
export function refuseFormText(option: string, text = ''): void {
  if (!/^[\w.[\]-]+=/u.test(text)) return;
  throw new CommandError(
    'usage',
    `${option} is not valid JSON. Give the fields of a form as members of a JSON object: ${option} '{"text":"hi"}'.`,
  );
}

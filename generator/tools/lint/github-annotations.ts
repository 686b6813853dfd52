import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Severity } from '../../diagnostics/severity.ts';

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * Formats diagnostics as GitHub workflow commands, one per line. GitHub shows them beside the lines of a pull request.
 * Text of a contract is escaped and never begins a line, so it cannot inject a command.
 * @param toPath returns the path of a file relative to the root of the repository
 */
export function toAnnotations(
  diagnostics: readonly Diagnostic[],
  toPath: (file: string) => string,
): string {
  return diagnostics
    .map(({ severity, code, message, help, file, line, column }) => {
      const properties = { file: toPath(file), line, col: column, title: code };
      const assignments = Object.entries(properties).map(
        ([name, value]) => `${name}=${escapeProperty(String(value))}`,
      );
      return `::${commands[severity]} ${assignments.join(',')}::${escapeData(`${message}\n${help}`)}\n`;
    })
    .join('');
}

function escapeData(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
      character === '\n' || character === '\r' ? character : '\ufffd',
    )
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

import type { Diagnostic, Severity } from '../../diagnostics/diagnostic.ts';

const commands: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/**
 * The diagnostics as workflow commands, a line each, which GitHub shows beside the lines of a pull request. No text of
 * a contract begins a line, so that none becomes a command of its own.
 * @param toPath the path of a file from the root of the repository
 */
export function toAnnotations(
  diagnostics: readonly Diagnostic[],
  toPath: (file: string) => string,
): string {
  return diagnostics
    .map(({ severity, code, message, help, file, line, column }) => {
      const properties = { file: toPath(file), line, col: column, title: code };
      const written = Object.entries(properties).map(
        ([name, value]) => `${name}=${escapeProperty(String(value))}`,
      );
      return `::${commands[severity]} ${written.join(',')}::${escapeData(`${message}\n${help}`)}\n`;
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

import type { Paint } from '../diagnostics/paint.ts';
import type { DiagnosticSection } from '../tools/explain/diagnostic-pages.ts';

/** Describes the section about a code for the terminal: its Markdown without fences, with the diffs in colour. */
export function describeDiagnostic({ code, text }: DiagnosticSection, paint: Paint): string {
  let isCode = false;
  const lines = text.split('\n').flatMap((line) => {
    const [, info] = /^```(?:\S+ )?(.*)$/u.exec(line) ?? [];
    if (info !== undefined) {
      isCode = !isCode;
      return isCode ? [paint('underline', info)] : [];
    }
    if (isCode) return [`  ${paintChange(line, paint)}`];
    return [line.replaceAll(/\*\*(.+?)\*\*/gu, (_, bold: string) => paint('bold', bold))];
  });
  return `${paint('bold', code)}\n\n${lines.join('\n')}\n`;
}

function paintChange(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

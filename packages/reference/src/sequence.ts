import { html, joinHtml, type Html } from './html.ts';

/** A message between the integrator and the service, or a divider between messages. */
export type SequenceStep =
  | {
      readonly kind: 'message';
      readonly direction: 'call' | 'answer' | 'notification';
      readonly text: string;
      readonly note?: string;
      readonly anchor?: string;
    }
  | { readonly kind: 'divider'; readonly text: string };

/** The width of a diagram in pixels: that of a phone's screen, so that no diagram has to scroll. */
const width = 380;
const left = 28;
const right = width - 28;
const boxWidth = 178;
/** Widths of a character in pixels, large enough for the fonts of all readers. */
const textWidth = 8.5;
const noteWidth = 6.9;
const span = right - left - 24;
/** The maximum number of lines of a text. */
const maxLines = 3;

/** Draws the messages between the integrator and the service. The same steps give the same drawing. */
export function drawSequence(
  id: string,
  title: string,
  service: string,
  steps: readonly SequenceStep[],
): Html {
  const pieces: Html[] = [];
  let y = 66;
  for (const step of steps) {
    const { drawn, height } = step.kind === 'divider' ? divider(step.text, y) : message(step, y);
    pieces.push(drawn);
    y += height;
  }
  const height = y + 14;
  const lane = (x: number, box: number, name: string): Html =>
    html`<line class="lane" x1="${x}" y1="42" x2="${x}" y2="${height - 8}" /><rect
        class="lane-box"
        x="${box}"
        y="8"
        width="${boxWidth}"
        height="34"
        rx="8"
      /><text class="lane-name" x="${box + boxWidth / 2}" y="30" text-anchor="middle"
        >${clip(name, 23)}</text
      >`;
  return html`<figure class="sequence" id="${id}">
    <figcaption>${title}</figcaption>
    <div class="scroll" tabindex="0" role="group" aria-label="Diagram: ${title}">
      <svg
        viewBox="0 0 ${width} ${height}"
        width="${width}"
        height="${height}"
        role="group"
        aria-label="${title}"
      >
        ${lane(left, 4, 'Your application')}${lane(right, width - boxWidth - 4, service)}${pieces}
      </svg>
    </div>
  </figure>`;
}

function message(
  { direction, text, note, anchor }: SequenceStep & { readonly kind: 'message' },
  top: number,
): { drawn: Html; height: number } {
  const lines = note === undefined ? [] : wrap(note, Math.floor(span / noteWidth));
  const labels = wrap(text, Math.floor(span / textWidth));
  const y = top + 16 * labels.length;
  const [from, to, tip] = direction === 'call' ? [left, right, -9] : [right, left, 9];
  const middle = (left + right) / 2;
  const label = joinHtml(
    labels.map(
      (line, index) =>
        html`<text class="message" x="${middle}" y="${top + 8 + 16 * index}" text-anchor="middle"
          >${line}</text
        >`,
    ),
  );
  const linked = anchor === undefined ? label : html`<a href="#${anchor}">${label}</a>`;
  const notes = lines.map(
    (line, index) =>
      html`<text class="note" x="${middle}" y="${y + 16 + 15 * index}" text-anchor="middle"
        >${line}</text
      >`,
  );
  return {
    drawn: html`<g class="${direction}"
      >${linked}<line class="arrow" x1="${from}" y1="${y}" x2="${to + tip}" y2="${y}" /><path
        class="tip"
        d="M${to} ${y}l${tip} -5v10z"
      />${notes}</g
    >`,
    height: 28 + 16 * labels.length + 15 * lines.length,
  };
}

function divider(text: string, top: number): { drawn: Html; height: number } {
  const words = clip(text, 46);
  const half = (words.length * noteWidth) / 2 + 12;
  const middle = width / 2;
  return {
    drawn: html`<g class="divider"
      ><line x1="24" y1="${top + 6}" x2="${width - 24}" y2="${top + 6}" /><rect
        x="${middle - half}"
        y="${top - 6}"
        width="${2 * half}"
        height="24"
        rx="12"
      /><text x="${middle}" y="${top + 10}" text-anchor="middle">${words}</text></g
    >`,
    height: 40,
  };
}

function clip(text: string, length: number): string {
  const characters = Array.from(text.replaceAll(/\s+/gu, ' ').trim());
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, length - 1).join('')}…`;
}

/**
 * Breaks a text at spaces and before each `/` into lines of at most `length` characters. Returns at most `maxLines`
 * lines; an ellipsis ends the last one where text is left out.
 */
function wrap(text: string, length: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of text
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .split(/(?<= )|(?=\/)/u)) {
    if (line !== '' && (line + part).trimEnd().length > length) {
      lines.push(line.trimEnd());
      line = part;
    } else line += part;
  }
  if (line !== '') lines.push(line);
  const shown = lines.slice(0, maxLines);
  const rest = lines.length > maxLines ? ' …' : '';
  return shown.map((part, index) => clip(index === maxLines - 1 ? part + rest : part, length));
}

import { describe, expect, it } from 'vitest';
import { createProgressLine } from '../../generator/cli/progress-line.ts';
import type { Terminal } from '../../generator/cli/terminal.ts';

function screen(over: Partial<Terminal>): {
  readonly terminal: Terminal;
  readonly text: () => string;
} {
  let text = '';
  const terminal: Terminal = {
    folder: '/',
    environment: {},
    outIsTerminal: true,
    errorIsTerminal: true,
    columns: 20,
    out: () => undefined,
    error: (more) => {
      text += more;
    },
    ...over,
  };
  return { terminal, text: () => text };
}

describe('progress', () => {
  it('is one line on a terminal, which never wraps and is gone when done', () => {
    const { terminal, text } = screen({});
    const line = createProgressLine(terminal, false);
    line.show({ stage: 'load' });
    line.show({ stage: 'emit', target: 'a-target-with-a-long-name' });
    line.clear();
    line.clear();
    const erase = '\r\u001b[2K';
    expect(text()).toBe(`${erase}reading the contrac${erase}generating a-target${erase}`);
  });

  it.each<[string, Partial<Terminal>]>([
    ['a pipe', { errorIsTerminal: false }],
    ['CI, whatever it pretends to be', { environment: { CI: 'true' } }],
    ['a terminal that can do nothing', { environment: { TERM: 'dumb' } }],
  ])('is plain lines for %s', (_, over) => {
    const { terminal, text } = screen(over);
    const line = createProgressLine(terminal, false);
    line.show({ stage: 'load' });
    line.show({ stage: 'emit', target: 'titles' });
    line.clear();
    expect(text()).toBe('reading the contract\ngenerating titles\n');
  });

  it('is silence when quiet', () => {
    const { terminal, text } = screen({});
    const line = createProgressLine(terminal, true);
    line.show({ stage: 'load' });
    line.clear();
    expect(text()).toBe('');
  });
});

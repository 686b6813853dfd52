import { describe, expect, it, vi } from 'vitest';
import { createProgressLine } from '../../generator/cli/progress-line.ts';
import type { Terminal } from '../../generator/cli/terminal.ts';

const flags = { quiet: false, json: false, verbose: false };

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
    const line = createProgressLine(terminal, flags);
    line.show({ stage: 'load' });
    line.show({ stage: 'emit', done: 1234 });
    line.clear();
    line.clear();
    const erase = '\r\u001b[2K';
    expect(text()).toBe(`${erase}reading the contrac${erase}generating … 1234 f${erase}`);
  });

  it('has a count and the elapsed seconds, and is written ten times a second at most', () => {
    const { terminal, text } = screen({ columns: 80 });
    let time = 5;
    const line = createProgressLine(terminal, flags, () => time);
    const shown = (): string => text().split('\r\u001b[2K').at(-1) ?? '';
    line.show({ stage: 'lower' });
    expect(shown()).toBe('lowering the contract …');
    time += 1_000;
    line.show({ stage: 'emit', done: 1 });
    expect(shown()).toBe('generating … 1 file, 1 s');
    line.show({ stage: 'emit', done: 2 });
    expect(shown()).toBe('generating … 1 file, 1 s');
    time += 100;
    line.show({ stage: 'emit', done: 900 });
    expect(shown()).toBe('generating … 900 files, 1 s');
    line.clear();
    expect(shown()).toBe('');
  });

  it('counts the seconds on while nothing is reported, until it is cleared', () => {
    vi.useFakeTimers();
    try {
      const { terminal, text } = screen({ columns: 80 });
      const line = createProgressLine(terminal, flags, () => Date.now());
      line.show({ stage: 'lower' });
      vi.advanceTimersByTime(3_000);
      expect(text()).toMatch(/lowering the contract … 3 s$/u);
      line.clear();
      const before = text();
      vi.advanceTimersByTime(3_000);
      expect(text()).toBe(before);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each<[string, Partial<Terminal>, boolean]>([
    ['a pipe, with --verbose', { errorIsTerminal: false }, true],
    ['a terminal of CI', { environment: { CI: 'true' } }, false],
    ['a terminal that can do nothing', { environment: { TERM: 'dumb' } }, false],
  ])('is plain lines for %s, each once', (_, over, verbose) => {
    const { terminal, text } = screen(over);
    const line = createProgressLine(terminal, { ...flags, verbose });
    line.show({ stage: 'load' });
    line.show({ stage: 'lower' });
    line.clear();
    line.show({ stage: 'load' });
    line.show({ stage: 'emit' });
    line.show({ stage: 'emit', done: 1 });
    line.clear();
    expect(text()).toBe('reading the contract\nlowering the contract\ngenerating\n');
  });

  it.each<[string, Partial<Terminal>, Partial<typeof flags>]>([
    ['--quiet', {}, { quiet: true }],
    ['--json', {}, { json: true }],
    ['--quiet and --verbose', { errorIsTerminal: false }, { quiet: true, verbose: true }],
    ['a pipe', { errorIsTerminal: false }, {}],
    ['a pipe in CI', { errorIsTerminal: false, environment: { CI: 'true' } }, {}],
  ])('is silence for %s', (_, over, changed) => {
    const { terminal, text } = screen(over);
    const line = createProgressLine(terminal, { ...flags, ...changed });
    line.show({ stage: 'load' });
    line.clear();
    expect(text()).toBe('');
  });
});

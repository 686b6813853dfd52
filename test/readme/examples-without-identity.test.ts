import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = globSync(
  [
    '*.md',
    'docs/**/*.md',
    'examples/*/README.md',
    'examples/*/src/*.ts',
    'generated/*/README.md',
    'generated/*/docs/*.md',
    'generated/*/stubs/*.ts',
    'packages/*/README.md',
    'packages/runtime/*/*.md',
    'templates/**/*.hbs',
    'packages/create/templates/**/*.hbs',
  ],
  { cwd: root },
);

// In a receiver, all events of a delivery have its id: in an array, each would replace the one before. Only `onInvalid`,
// which is called once for a delivery and gets its text, can have a row for the id. In workers and consumers, it is that
// of the event.
const ofEvents = /createWorker|createConsumer/u;
const byDelivery = /\.set\((?:context\.)?id, (?!text\))/u;

// Two payments can have equal contents.
const byContent = /\.set\([^,\n]*JSON\.stringify\(event|JSON\.stringify\(event[^)]*\)\]\.join/u;

test('examples keep no event under what several events have', () => {
  expect(files.length).toBeGreaterThan(100);
  const lines = files.flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split(/^```/mu)
      .flatMap((block) =>
        block
          .split('\n')
          .filter(
            (line) => (byDelivery.test(line) && !ofEvents.test(block)) || byContent.test(line),
          ),
      )
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});

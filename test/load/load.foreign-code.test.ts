import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject } from '../cli/project.ts';

it.each(['generate', 'lint'])(
  'runs no code from the places in the working directory where Redocly looks for plugins: %s',
  async (command) => {
    const plugin = `import { writeFileSync } from 'node:fs';
writeFileSync('ran', '');
export default { id: 'foreign' };
`;
    const { folder, countersign } = await createProject({
      '@theme/plugin.mjs': plugin,
      '@theme/plugin.js': plugin,
      'package.json': '{ "type": "module" }',
    });
    await countersign(command);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  },
);

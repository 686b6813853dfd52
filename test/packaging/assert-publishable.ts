import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs as the first part of `npm run release`. Exits with 1 if a package that would leave this machine states no
 * `repository`: npm's provenance compares it with the repository that publishes, and refuses the package after others
 * are published. A registry on this machine gets the packages as they are.
 *
 * An argument replaces the folder of the repository.
 */

interface Manifest {
  readonly name: string;
  readonly repository?: string | { readonly url?: string };
}

function readManifests(root: string): readonly Manifest[] {
  const folders = ['generator', 'templates'].concat(
    readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
  );
  return folders.map(
    (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  );
}

function hasRepository({ repository }: Manifest): boolean {
  const url = typeof repository === 'object' ? repository.url : repository;
  return url !== undefined && url !== '';
}

/** Returns whether npm publishes to this machine. `npm run` passes on each setting that is not npm's default. */
function isLocal(registry: string | undefined): boolean {
  const host = URL.parse(registry ?? '')?.hostname;
  return host === '127.0.0.1' || host === '[::1]' || host === 'localhost';
}

const manifests = readManifests(process.argv[2] ?? join(import.meta.dirname, '../..'));
const refused = manifests.filter((manifest) => !hasRepository(manifest)).map(({ name }) => name);
if (refused.length > 0 && !isLocal(process.env['npm_config_registry'])) {
  process.stderr.write(
    `Nothing is published: ${refused.join(', ')} state no \`repository\`, which provenance requires. ` +
      'Add it to each package.json: `{ "type": "git", "url": …, "directory": … }`.\n',
  );
  process.exitCode = 1;
}

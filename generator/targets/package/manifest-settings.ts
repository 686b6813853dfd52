import { posix } from 'node:path';

/** What every generated package.json states for registries and their users, as npm describes these members. */
export interface ManifestSettings {
  /**
   * Where the source is. In an object, `directory` is the output folder in the repository; each package adds its own
   * folder to it. The provenance of a package requires the URL.
   */
  readonly repository?: string | RepositorySettings;
  readonly author?: string | AuthorSettings;
  readonly homepage?: string;
  readonly keywords?: readonly string[];
  /** How a package is published. It has to match the scope's registry in `.npmrc`. */
  readonly publishConfig?: PublishSettings;
}

interface RepositorySettings {
  readonly type?: string;
  readonly url: string;
  readonly directory?: string;
}

interface AuthorSettings {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

interface PublishSettings {
  readonly access?: 'public' | 'restricted';
  readonly registry?: string;
  readonly tag?: string;
  readonly provenance?: boolean;
}

/** Returns the members of the package.json of a target, in the order in which npm documents them. */
export function registryMembers(settings: ManifestSettings = {}, target: string): object {
  const { keywords, homepage, author, repository, publishConfig } = settings;
  const members = {
    keywords,
    homepage,
    author,
    repository: typeof repository === 'object' ? inFolder(repository, target) : repository,
    publishConfig,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function inFolder(repository: RepositorySettings, target: string): object {
  const { type = 'git', url, directory } = repository;
  return {
    type,
    url,
    ...(directory === undefined ? {} : { directory: posix.join(directory, target) }),
  };
}

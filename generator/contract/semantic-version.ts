/** Matches a semantic version as npm accepts it, such as `1.2.0` and `1.2.0-next.1`. @see https://semver.org */
export const semanticVersion: RegExp =
  /^(?:0|[1-9]\d{0,14})(?:\.(?:0|[1-9]\d{0,14})){2}(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/u;

/** The value of the setting `version` for packages whose versions are those of their `package.json` on disk. */
export const versionsOnDisk = 'changesets';

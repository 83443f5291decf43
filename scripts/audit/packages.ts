/** The packages that a lock file of npm names. */

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json says it; null where it says nothing. */
  readonly licence: string | null;
  /** Subresource integrity; null for what comes inside of another package. */
  readonly integrity: string | null;
  /** Whether it is only for work on Kinora. */
  readonly isForDevelopment: boolean;
}

interface LockFile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<
    Record<
      string,
      {
        name?: string;
        version?: string;
        license?: string;
        integrity?: string;
        dev?: boolean;
        devOptional?: boolean;
      }
    >
  >;
}

/**
 * Each name and version once, sorted; for development only where it is so in every lock file that names it.
 * @param texts of package-lock.json, lockfileVersion 3
 */
export function packagesIn(...texts: readonly string[]): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  for (const [path, locked] of texts.flatMap(entriesOf)) {
    const { name: own, version, license, integrity, dev, devOptional } = locked;
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || version === undefined) continue;
    // A package that is installed under another name says its own.
    const name = own ?? path.slice(at + 'node_modules/'.length);
    const id = `${name}@${version}`;
    const before = found.get(id);
    found.set(id, {
      name,
      version,
      licence: license ?? before?.licence ?? null,
      integrity: integrity ?? before?.integrity ?? null,
      isForDevelopment: (dev ?? devOptional ?? false) && (before?.isForDevelopment ?? true),
    });
  }
  return [...found.values()].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

function entriesOf(text: string) {
  const { lockfileVersion, packages } = JSON.parse(text) as LockFile;
  if (lockfileVersion !== 3) throw new Error(`The lock file has version ${lockfileVersion}; 3 is known`);
  return Object.entries(packages);
}

export const idOf = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string =>
  `${name}@${version}`;

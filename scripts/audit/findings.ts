/** What an audit finds in locked packages: licences that are not allowed, advisories, exceptions that no longer hold. */
import { isAllowed } from './licences.ts';
import { idOf, type LockedPackage } from './packages.ts';
import { isIn } from './versions.ts';

export interface Advisory {
  /** `GHSA-…` */
  readonly id: string;
  readonly package: string;
  /** Versions that have it: `>=1.0.0 <1.2.3`. */
  readonly range: string;
  readonly severity: string;
  readonly title: string;
}

/** What was known of advisories on a day. */
export interface AdvisoryRecord {
  /** ISO date on which the registry was asked; null while it never was. */
  readonly recorded: string | null;
  readonly advisories: readonly Advisory[];
}

export interface Exception {
  /** Name of the package. */
  readonly package: string;
  /** `licence`, or the id of an advisory. */
  readonly of: string;
  /** Why it may stay, as a sentence. */
  readonly reason: string;
  /** ISO date from which on somebody has to look again. */
  readonly expires: string;
}

export interface Findings {
  /** Each fails the audit. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Days after which what is known of advisories is old. */
const FRESH_DAYS = 30;

/** @param today ISO date */
export function audited(
  packages: readonly LockedPackage[],
  { recorded, advisories }: AdvisoryRecord,
  exceptions: readonly Exception[],
  today: string,
): Findings {
  const isExcepted = (name: string, of: string) =>
    exceptions.some((one) => one.package === name && one.of === of && one.expires > today);
  const licences = packages
    .filter(({ name, licence }) => !(licence && isAllowed(licence)) && !isExcepted(name, 'licence'))
    .map((one) => `${idOf(one)} has the licence ${one.licence ?? '(none named)'}, which is not allowed`);
  const known = advisories.flatMap(({ id, package: name, range, severity, title }) =>
    packages
      .filter((one) => one.name === name && isIn(one.version, range) && !isExcepted(name, id))
      .map((one) => `${idOf(one)} has the advisory ${id} (${severity}): ${title}`),
  );
  const expired = exceptions
    .filter(({ expires }) => expires <= today)
    .map((one) => `The exception of ${one.package} (${one.of}) expired on ${one.expires}: ${one.reason}`);
  const names = new Set(packages.map(({ name }) => name));
  const idle = exceptions
    .filter(({ package: name }) => !names.has(name))
    .map((one) => `The exception of ${one.package} (${one.of}) is about nothing that is installed`);
  return { errors: [...licences, ...known, ...expired, ...idle], warnings: ages(recorded, today) };
}

function ages(recorded: string | null, today: string): string[] {
  const remedy = '`npm run audit -- --record` asks the registry, where it can be reached';
  if (recorded === null) return [`Nobody has asked the registry for advisories yet: ${remedy}`];
  const days = (Date.parse(today) - Date.parse(recorded)) / 86_400_000;
  return days > FRESH_DAYS ? [`The advisories are of ${recorded}, ${days} days ago: ${remedy}`] : [];
}

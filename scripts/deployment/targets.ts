/** The account and the regions of an environment in AWS, and the names by which its resources are recognized. */
import { globalRegion, hasSites } from '../../lib/environment-checks.ts';
import { type Environment, environmentNamed, environmentNames } from '../../lib/environments.ts';
import { itemAt } from '../../shared/checked-access.ts';
import { Misuse } from './failure.ts';

export interface Target {
  readonly environment: Environment;
  readonly name: string;
  readonly region: string;
  /** All regions in which the environment may have resources. Its own region is the first. */
  readonly regions: readonly string[];
}

export function targetOf(environment: Environment): Target {
  const { name, region, backup } = environment;
  const others = [...(hasSites(region) ? [globalRegion] : []), ...(backup ? [backup.region] : [])];
  return { environment, name, region, regions: [...new Set([region, ...others])] };
}

/** @throws Misuse if the environment does not exist, or if its file has an error */
export async function targetNamed(name: string | undefined, command: string): Promise<Target> {
  const all = environmentNames().join(', ');
  if (name === undefined) throw new Misuse('Which environment?', `npm run ${command} -- NAME    (${all})`);
  try {
    return targetOf(await environmentNamed(name));
  } catch (error) {
    const cure = `Correct environments/${name}.ts, or choose one of these: ${all}`;
    throw new Misuse((error as Error).message, cure, { cause: error });
  }
}

export const tagsOf = ({ name }: Target) => ({ product: 'kinora', environment: name });

/**
 * Returns the part of a stack's name: `Data` for `Kinora-dev-Data`, `SiteWatch` for `Kinora-dev-SiteWatch-eu-central-1`. Null for a
 * stack of another environment, such as `dev-eu`, or of another region. A stack in us-east-1 that serves another region has that
 * region in its name.
 */
export function partOf(target: Target, region: string, stackName: string): string | null {
  const found = new RegExp(`^${stackNames(target, region)}$`).exec(stackName);
  return found === null ? null : itemAt(found, 1);
}

/** Whether CloudFormation generated the name for a resource of the environment: `Kinora-dev-Data-Core-1ABC`. */
export const isNameOf = (target: Target, region: string, physicalName: string): boolean =>
  new RegExp(`^${stackNames(target, region)}-(?!${REGION})`).test(physicalName);

const REGION = '[a-z]{2,4}(?:-[a-z]+)+-\\d';

function stackNames({ name, region: own }: Target, region: string): string {
  return `Kinora-${name}-([A-Z][A-Za-z]*)${region === own ? `(?:-${own})?` : `-${own}`}`;
}

/** Whether a log group is part of the environment, or was created by a service for a resource of the environment. */
export function isLogGroupOf(target: Target, region: string, group: string): boolean {
  const [, ofService] = /^\/aws\/(?:lambda|codebuild)\/(.*)$/.exec(group) ?? [];
  if (ofService !== undefined) return isNameOf(target, region, ofService);
  const { name, region: own } = target;
  const isNamed = new RegExp(`^(?:/kinora/${name}/|/aws/vendedlogs/(?:states/)?kinora-${name}-)[A-Z]`);
  return region === own && isNamed.test(group);
}

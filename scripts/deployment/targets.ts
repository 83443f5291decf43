/** Where an environment lies in AWS, and how what belongs to it is told from what does not. */
import { globalRegion, hasSites } from '../../lib/environment-checks.ts';
import { type Environment, environmentNamed, environmentNames } from '../../lib/environments.ts';
import { Misuse } from './failure.ts';

export interface Target {
  readonly environment: Environment;
  readonly name: string;
  readonly region: string;
  /** All regions in which it may have something, its own first. */
  readonly regions: readonly string[];
}

export function targetOf(environment: Environment): Target {
  const { name, region } = environment;
  const regions = hasSites(region) ? [...new Set([region, globalRegion])] : [region];
  return { environment, name, region, regions };
}

/** @throws Misuse that says which environments there are, or what is wrong in the file of this one */
export async function targetNamed(name: string | undefined, command: string): Promise<Target> {
  const all = environmentNames().join(', ');
  if (name === undefined)
    throw new Misuse({ says: 'Which environment?', cure: `npm run ${command} -- NAME    (${all})` });
  try {
    return targetOf(await environmentNamed(name));
  } catch (error) {
    const cure = `Mend environments/${name}.ts, or name one of these: ${all}`;
    throw new Misuse({ says: (error as Error).message, cure }, { cause: error });
  }
}

/** The tags that every stack gives to all that it makes. */
export const tagsOf = ({ name }: Target) => ({ product: 'kinora', environment: name });

/**
 * `Data` of `Kinora-dev-Data`, `SiteWatch` of `Kinora-dev-SiteWatch-eu-central-1`; null for what is of another environment, such as
 * `dev-eu`, or of the same one in another region: what lies in us-east-1 for another region bears that region's name.
 */
export function partOf(target: Target, region: string, stackName: string): string | null {
  const found = new RegExp(`^${stackNames(target, region)}$`).exec(stackName);
  return found === null ? null : found[1]!;
}

/** Whether CloudFormation made that name for something of a stack of the environment: `Kinora-dev-Data-Core-1ABC`. */
export const isNameOf = (target: Target, region: string, physicalName: string): boolean =>
  new RegExp(`^${stackNames(target, region)}-(?!${REGION})`).test(physicalName);

const REGION = '[a-z]{2,4}(?:-[a-z]+)+-\\d';

function stackNames({ name, region: own }: Target, region: string): string {
  return `Kinora-${name}-([A-Z][A-Za-z]*)${region === own ? `(?:-${own})?` : `-${own}`}`;
}

/** Whether a log group is the environment's own, or one that a service made for what belongs to it. */
export function isLogGroupOf(target: Target, region: string, group: string): boolean {
  const [, ofService] = /^\/aws\/(?:lambda|codebuild)\/(.*)$/.exec(group) ?? [];
  if (ofService !== undefined) return isNameOf(target, region, ofService);
  const { name, region: own } = target;
  const isNamed = new RegExp(`^(?:/kinora/${name}/|/aws/vendedlogs/(?:states/)?kinora-${name}-)[A-Z]`);
  return region === own && isNamed.test(group);
}

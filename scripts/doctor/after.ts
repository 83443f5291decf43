/** The place to test: a deployed environment or the local cloud. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Ready } from '../../local/ready.ts';
import { ApiKeys } from '../../platform/records/api-keys.ts';
import { Failure } from '../deployment/failure.ts';
import { outputsOf, stacksOf } from '../deployment/stacks.ts';
import type { Subject } from './check.ts';
import { demoFilm, withSpace } from './smoke/media.ts';
import type { Smoked } from './smoke/smoke.ts';

export type Place = Omit<Smoked, 'onFinding' | 'onProgress'>;

/** Null if nothing is deployed. */
export async function deployedPlace({ target, regions }: Subject): Promise<Place | null> {
  const stacks = await stacksOf(target, regions);
  if (stacks.length === 0) return null;
  const { ApiUrl, SiteUrl, AuthTable } = outputsOf(stacks);
  if (ApiUrl === undefined || AuthTable === undefined)
    throw new Failure({
      says: `The stacks of ${target.name} have no outputs ${ApiUrl === undefined ? 'ApiUrl' : 'AuthTable'}`,
      cure: `Deploy all stacks: npm run deploy -- ${target.name}`,
    });
  return {
    apiUrl: ApiUrl,
    site:
      SiteUrl === undefined ? null : { url: SiteUrl, isPublic: target.environment.site.access === 'public' },
    keys: new ApiKeys(regions[0]!.dynamoDb, AuthTable),
    film: withSpace(demoFilm()),
  };
}

export function localPlace(ready: Ready): Place {
  const client = new DynamoDBClient({
    endpoint: ready.dynamodb_url,
    region: ready.region,
    credentials: { accessKeyId: ready.access_key_id, secretAccessKey: ready.secret_access_key },
  });
  return {
    apiUrl: ready.api_url,
    site: { url: ready.site_url, isPublic: true },
    keys: new ApiKeys(client, ready.auth_table),
    film: withSpace(demoFilm()),
  };
}

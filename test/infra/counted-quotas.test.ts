import { expect, it } from 'vitest';
import { counted } from '../../scripts/doctor/checks/quotas.ts';
import { ofType, synthesize } from './assembly.ts';

const takenOf = (type: string) =>
  Object.values(synthesize('dev')).reduce((sum, template) => sum + ofType(template, type).length, 0);
const needed = (service: string) => counted.find((quota) => quota.service === service)!.needed;

it('what npm run doctor counts of quotas is what the templates take', () => {
  expect(needed('apigateway')).toBe(takenOf('AWS::ApiGatewayV2::Route'));
  expect(needed('iam')).toBeGreaterThanOrEqual(takenOf('AWS::IAM::Role'));
});

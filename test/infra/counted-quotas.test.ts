import { beforeAll, describe, expect, it } from 'vitest';
import { counted } from '../../scripts/doctor/checks/quotas.ts';
import { ofType, synthesize, type Templates } from './assembly.ts';

let dev: Templates;
beforeAll(() => {
  dev = synthesize('dev');
});

const takenOf = (type: string) =>
  Object.values(dev).reduce((sum, template) => sum + ofType(template, type).length, 0);
const needed = (service: string) => counted.find((quota) => quota.service === service)!.needed;

describe('the use of quotas that npm run doctor counts', () => {
  it('equals the use in the templates', () => {
    expect(needed('apigateway')).toBe(takenOf('AWS::ApiGatewayV2::Route'));
    // One project, which builds once for each deployment. The quota counts projects of its kind.
    const projects = ofType(dev.Jobs, 'AWS::CodeBuild::Project').map(([, { Properties }]) => Properties);
    expect(needed('codebuild')).toBe(projects.length);
    expect(projects[0].Environment).toMatchObject({
      Type: 'ARM_CONTAINER',
      ComputeType: 'BUILD_GENERAL1_SMALL',
    });
    // The functions of the site are counted in addition.
    expect(needed('iam')).toBeGreaterThan(takenOf('AWS::IAM::Role'));
  });
});

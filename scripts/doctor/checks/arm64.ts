/** Checks whether CodeBuild supports arm64 in the region, to build the image of the media steps. */
import { check } from '../check.ts';
import { doubtful, well } from '../finding.ts';

/**
 * CodeBuild's reference, `Environment.type`: the regions with ARM_CONTAINER.
 * https://docs.aws.amazon.com/codebuild/latest/APIReference/API_ProjectEnvironment.html (read 2026-11-22)
 */
const regionsWithArm64 = [
  ...['us-east-1', 'us-east-2', 'us-west-2', 'eu-west-1', 'eu-central-1', 'ap-south-1', 'ap-northeast-1'],
  ...['ap-southeast-1', 'ap-southeast-2', 'sa-east-1'],
];

export const arm64 = check({
  title: 'arm64',
  read: async ({ target: { region } }) => region,
  judge: (region, { name }) =>
    regionsWithArm64.includes(region)
      ? well(`CodeBuild has it in ${region}`)
      : doubtful(
          `CodeBuild's reference does not list ${region} for arm64`,
          `Look it up (CodeBuild User Guide, "Build environment compute modes and types"), or choose another region in environments/${name}.ts: ${regionsWithArm64.join(', ')}.`,
        ),
});

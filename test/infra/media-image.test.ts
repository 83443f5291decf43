import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf } from '../../lib/environments.ts';
import { mediaSteps } from '../../lib/jobs/steps.ts';
import { fontPackages } from '../../media/rendering/choose-font.ts';
import { stagedBundle } from '../../toolchain/bundle/media-image.ts';
import { bundleFile, mediaImageFolder } from '../../toolchain/bundle/paths.ts';
import { ofType, type Resource, shipped, synthesize, type Template } from './assembly.ts';

let jobs: Template;
beforeAll(() => {
  jobs = synthesize('dev').Jobs;
});

const read = (file: string) => readFileSync(join(mediaImageFolder, file), 'utf8');
const mediaFunctions = () => mediaSteps.map((id): [string, Resource] => [id, jobs.Resources[id]!]);

describe('a media step', () => {
  it('is an image for arm64, whose command names the handler of the step', () => {
    expect(mediaSteps.length).toBeGreaterThan(0);
    for (const [id, { Properties }] of mediaFunctions()) {
      expect(Properties).toMatchObject({
        PackageType: 'Image',
        Architectures: ['arm64'],
        ImageConfig: { Command: [`functions/${id}/index.handler`] },
      });
      for (const name of ['Runtime', 'Handler', 'Layers']) expect(Properties).not.toHaveProperty(name);
      expect(JSON.stringify(Properties.Code.ImageUri)).toContain('"MediaImage","ImageTag"');
    }
  });

  it('has its bundle in the build folder of the image, where its command and the local cloud expect it', () => {
    for (const [id, { Metadata }] of mediaFunctions()) {
      expect(Metadata).toMatchObject({
        'aws:asset:path': mediaImageFolder,
        'aws:asset:property': 'Code.ImageUri',
      });
      expect(stagedBundle(id)).toBe(join(mediaImageFolder, 'functions', id, 'index.mjs'));
      expect(readFileSync(stagedBundle(id)).equals(readFileSync(bundleFile(id)))).toBe(true);
    }
  });
});

describe('the image', () => {
  it('is built during the deployment, by a machine with the same processor, within a time limit', () => {
    expect(jobs.Resources.MediaImageProject!.Properties).toMatchObject({
      Environment: { Type: 'ARM_CONTAINER', PrivilegedMode: true },
      TimeoutInMinutes: 20,
    });
    const { Properties } = jobs.Resources.MediaImage!;
    expect(Properties.buildCommand).toContain('--platform linux/arm64');
    expect(Number(Properties.ServiceTimeout)).toBeGreaterThan(20 * 60);
  });

  // Lambda and CodeBuild create a missing log group, under the name that CloudFormation uses a moment later:
  // https://github.com/aws-solutions/amazon-marketing-cloud-uploader-from-aws/issues/167
  it('is created after both log groups, and deleted before them', () => {
    const { DependsOn } = jobs.Resources.MediaImage!;
    expect(DependsOn).toEqual(expect.arrayContaining(['MediaImageProjectLogs', 'MediaImageTriggerLogs']));
  });

  it('has a tag of its content: it is built again if its files change, or packagesOf of the environment', () => {
    const tagOf = ({ Jobs }: ReturnType<typeof synthesize>) => Jobs.Resources.MediaImage!.Properties.imageTag;
    const later = synthesize('dev', { packagesOf: '2026-11-26' });
    expect(tagOf(synthesize('dev'))).toMatch(/^[0-9a-f]{32}$/);
    // Another memory of functions and another day change nothing.
    expect(tagOf(synthesize('dev', { apiMemory: 1024 }))).toBe(tagOf(synthesize('dev')));
    expect(tagOf(later)).not.toBe(tagOf(synthesize('dev')));
    expect(later.Jobs.Resources.MediaImage!.Properties.buildCommand).toContain('PACKAGES_OF=2026-11-26 ');
    expect(() => environmentOf('dev', { ...shipped.dev, packagesOf: '$(date)' })).toThrow('packagesOf');
    expect(read('Dockerfile')).toMatch(
      /^ARG PACKAGES_OF\nRUN echo "packages of \$PACKAGES_OF" && apt-get update/m,
    );
  });

  it('is in a repository that scans it, never moves a tag and deletes old images', () => {
    const { Properties } = jobs.Resources.MediaImages!;
    expect(Properties).toMatchObject({
      ImageTagMutability: 'IMMUTABLE',
      ImageScanningConfiguration: { ScanOnPush: true },
    });
    const [rule] = JSON.parse(Properties.LifecyclePolicy.LifecyclePolicyText).rules;
    expect(rule.selection).toMatchObject({ countType: 'imageCountMoreThan', countNumber: 5 });
  });

  it('is the only thing that is built during deployment; the synthesis does not need Docker', () => {
    expect(ofType(jobs, 'Custom::CDKContainerImageBuild').map(([id]) => id)).toEqual(['MediaImage']);
    expect(ofType(jobs, 'AWS::Lambda::LayerVersion')).toEqual([]);
    const logs = ['MediaImageProjectLogs', 'MediaImageTriggerLogs'].map(
      (id) => jobs.Resources[id]!.Properties,
    );
    expect(logs.map(({ RetentionInDays }) => RetentionInDays)).toEqual([7, 7]);
  });
});

describe.runIf(process.platform === 'linux')('the build of the image', () => {
  /** Runs the commands of CodeBuild with programs that only record their calls. Returns the calls and the answer. */
  function run(aws: string, docker = 'exit 0') {
    const folder = mkdtempSync(join(tmpdir(), 'kinora-build-'));
    try {
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      const programs = {
        aws,
        docker,
        unzip: 'exit 0',
        sleep: 'exit 0',
        curl: `cp payload.json ${folder}/sent`,
      };
      for (const [name, does] of Object.entries(programs))
        writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${folder}/calls\n${does}\n`, {
          mode: 0o755,
        });
      const { build, post_build } = JSON.parse(
        jobs.Resources.MediaImageProject!.Properties.Source.BuildSpec,
      ).phases;
      const env = {
        ...{ PATH: `${bin}:/usr/bin:/bin`, repositoryUri: '1.ecr/images', imageTag: 'abc' },
        ...{ buildCommand: 'docker build --output name=artifact:$imageTag .', responseURL: 'https://s3' },
        ...{ stackId: 'arn:stack', requestId: 'r1', logicalResourceId: 'MediaImage', AWS_REGION: 'eu' },
      };
      const shell = (commands: string[], more = {}) =>
        spawnSync('sh', ['-c', commands.join('\n')], { cwd: folder, env: { ...env, ...more } }).status;
      const isBuilt = shell(build.commands) === 0;
      shell(post_build.commands, { CODEBUILD_BUILD_SUCCEEDING: isBuilt ? '1' : '0' });
      const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n');
      return {
        calls: calls.filter((call) => /^docker (?!login)/.test(call)),
        answer: JSON.parse(readFileSync(join(folder, 'sent'), 'utf8')),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  const isNew = '[ "$2" != describe-images ]';
  const built = [
    'docker build --output name=artifact:abc .',
    'docker tag artifact:abc 1.ecr/images:abc',
    'docker push 1.ecr/images:abc',
  ];
  const answer = { PhysicalResourceId: 'abc', Data: { ImageTag: 'abc' }, Status: 'SUCCESS' };

  it.each([
    ['builds and pushes a new image', isNew, 'exit 0', built],
    ['builds no image that exists', 'exit 0', 'exit 0', []],
    ['repeats what fails once', isNew, '[ $1 != build ] || ! mkdir once', built],
  ])('%s', (_, aws, docker, calls) => {
    const found = run(aws, docker);
    expect([...new Set(found.calls)]).toEqual(calls);
    expect(found.answer).toMatchObject(answer);
  });

  it('that fails answers CloudFormation at once, with a reason', () => {
    const { calls, answer: failed } = run(isNew, '[ $1 = login ]');
    expect(calls).toEqual(Array(4).fill(built[0]));
    expect(failed).toMatchObject({ ...answer, Status: 'FAILED', StackId: 'arn:stack', RequestId: 'r1' });
    expect(failed.Reason).toContain('/aws/codebuild/');
  });
});

describe('the Dockerfile of the image', () => {
  const recipe = () => read('Dockerfile').replace(/\\\n\s*/g, '');

  it('starts from one image of Node 24 on Debian 12, by its digest, in the AWS registry, which does not throttle anonymous pulls', () => {
    const bases = [...recipe().matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(
      /^public\.ecr\.aws\/docker\/library\/node:24-bookworm-slim@sha256:[0-9a-f]{64}$/,
    );
  });

  it('installs ffmpeg and fonts of Debian with the updates of the day', () => {
    expect(recipe()).toContain(
      'apt-get upgrade --yes && apt-get install --yes --no-install-recommends ffmpeg',
    );
    const packages = Object.keys(fontPackages).sort();
    expect(recipe()).toContain(` ffmpeg ${packages.join(' ')} && rm`);
    const { dependencies } = JSON.parse(read('client/package.json'));
    expect(dependencies).toEqual({ 'aws-lambda-ric': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  it('pins the versions of the Lambda client and its build tools, and names no registry', () => {
    const { packages } = JSON.parse(read('client/package-lock.json')) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const locked = Object.entries(packages).filter(([name]) => name !== '');
    expect(locked.filter(([, { integrity }]) => !integrity)).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved)).toEqual([]);
  });

  it('makes Node executable but not readable', () => {
    expect(recipe()).toContain('RUN chmod 0711 /usr/local/bin/node');
    // The shell cannot read it either, because exec replaces the shell.
    expect(read('entrypoint.sh')).toMatch(/^exec node /m);
  });

  it('copies only files that the build prepares', () => {
    const copied = [...recipe().matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    expect(copied).toContain('functions');
    expect(copied.filter((source) => !existsSync(join(mediaImageFolder, source)))).toEqual([]);
  });

  it('starts the runtime client with the handler that the command names', () => {
    expect(recipe()).toContain('ENTRYPOINT ["/bin/sh", "/opt/client/entrypoint.sh"]');
    expect(recipe()).toContain('WORKDIR /var/task');
    expect(read('entrypoint.sh')).toContain('export _HANDLER="$1"');
  });
});

describe.runIf(process.platform === 'linux')('a Node program that can be run but not read', () => {
  const secret = 'of the role of its function';
  /** The variables that a child process of the same user can read from its parent. */
  const look = 'tr "\\0" "\\n" < /proc/$PPID/environ; head -c 1 /proc/$PPID/mem; ls /proc/$PPID/fd';
  const script = `console.log(JSON.stringify(require('node:child_process').spawnSync('/bin/sh', ['-c', process.argv[1]], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })))`;

  /** As on Lambda: a user without privileges, whose shell starts Node with exec. */
  function childOf(node: string): { readonly stdout: string; readonly stderr: string } {
    const stranger = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all'];
    const command = ['/bin/sh', '-c', 'exec "$0" -e "$1" "$2"', node, script, look];
    const [program, ...args] = process.getuid?.() === 0 ? [...stranger, ...command] : command;
    return JSON.parse(
      execFileSync(program!, args, { env: { ...process.env, SECRET: secret }, encoding: 'utf8' }),
    );
  }

  it('hides its environment, memory and files from its child processes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kinora-node-'));
    const node = join(folder, 'node');
    try {
      chmodSync(folder, 0o755);
      copyFileSync(process.execPath, node);
      chmodSync(node, 0o755);
      expect(childOf(node).stdout).toContain(secret);
      chmodSync(node, 0o111);
      const { stdout, stderr } = childOf(node);
      expect(stdout).toBe('');
      expect(stderr.match(/Permission denied/g)).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

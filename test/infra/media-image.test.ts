import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

  it('is built again by the first deployment of each day, or if packagesOf of the environment changes', () => {
    const { buildCommand } = jobs.Resources.MediaImage!.Properties;
    expect(buildCommand).toMatch(/--build-arg PACKAGES_OF=\d{4}-\d\d-\d\d /);
    expect(environmentOf('dev', { ...shipped.dev, packagesOf: 'now' }).packagesOf).toBe('now');
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

describe('the Dockerfile of the image', () => {
  const recipe = () => read('Dockerfile').replace(/\\\n\s*/g, '');

  it('starts from Node 24 on Debian 12 in the AWS registry, which does not throttle anonymous pulls', () => {
    const bases = [...recipe().matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect([...new Set(bases)]).toEqual(['public.ecr.aws/docker/library/node:24-bookworm-slim']);
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

/**
 * `npm run rehearse:image`: makes the image of the media steps without Docker, following its Dockerfile line by line in a
 * Debian by debootstrap, then processes media in the local cloud with the steps running in there, behind the runtime
 * interface client and a stand-in of Lambda's Runtime API. Needs Linux and root. The tree has this machine's
 * processor, amd64 as a rule, where CodeBuild builds for arm64; and Debian with npm's build of Node in place of the
 * base image.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jobEnd, Kinora, uploadAsset } from '../client/index.ts';
import { startLocalCloud } from '../local/cloud.ts';
import { assemblyFolder, buildFolder, mediaImageFolder, root } from '../toolchain/bundle/paths.ts';
import { productOf } from '../toolchain/product.ts';
import { type Recipe, readRecipe } from './rehearsal/dockerfile.ts';
import { missingParts, partsInUse } from './rehearsal/parts.ts';
import { buildTree, imagePath } from './rehearsal/tree.ts';

const folder = join(buildFolder, 'rehearsal');
const notes = join(folder, 'answers.log');
const say = (line: string) => console.log(line);

requirePrograms();
await productOf().assembly(say);
const recipe = readRecipe(readFileSync(join(mediaImageFolder, 'Dockerfile'), 'utf8'));
const tree = buildTree(recipe, {
  folder,
  context: mediaImageFolder,
  buildArgs: { PACKAGES_OF: new Date().toISOString().slice(0, 10) },
  node: dirname(dirname(realpathSync(process.execPath))),
  npm: dirname(dirname(realpathSync(onPath('npm')!))),
  report: say,
});
checkPrograms(tree);
await checkJobs(assemblyWith(recipe, tree));
say('The image is as it should be.');

function requirePrograms(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) fail('The rehearsal needs Linux and root.');
  const missing = ['debootstrap', 'unshare'].filter((program) => !onPath(program));
  if (missing.length > 0)
    fail(`Missing: ${missing.join(', ')}. Debian: apt-get install debootstrap util-linux`);
}

function onPath(program: string): string | undefined {
  const places = (process.env.PATH ?? '').split(':');
  return places.map((place) => join(place, program)).find(existsSync);
}

function checkPrograms(tree: string): void {
  const inside = (...command: string[]) =>
    execFileSync('chroot', [tree, ...command], { encoding: 'utf8', env: { PATH: imagePath } }).trim();
  say(`Node ${inside('node', '--version')}, ${inside('ffmpeg', '-version').split('\n')[0]}`);
  say(`${inside('du', '-sm', '--one-file-system', '/').split('\t')[0]} MB`);
  const missing = missingParts(partsInUse(), (option) => inside('ffmpeg', '-loglevel', 'quiet', option));
  if (missing.length > 0) fail(`ffmpeg in the image lacks ${missing.join('; ')}`);
  for (const program of ['/usr/bin/ffmpeg', '/usr/bin/ffprobe', '/usr/bin/prlimit', '/usr/bin/setpriv']) {
    if (!existsSync(join(tree, program))) fail(`The image lacks ${program}`);
  }
}

interface FunctionResource {
  Type: string;
  Properties: {
    PackageType?: string;
    ImageConfig?: { Command: string[] };
    EphemeralStorage?: { Size: number };
  };
  Metadata: Record<string, string>;
}

/** The assembly of these sources, its images replaced by bridges into the tree. */
function assemblyWith({ entrypoint, directory }: Recipe, tree: string): string {
  const assembly = join(folder, 'assembly');
  rmSync(assembly, { recursive: true, force: true });
  cpSync(assemblyFolder, assembly, { recursive: true });
  const file = join(assembly, 'Kinora-dev-Jobs.template.json');
  const template = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Record<string, FunctionResource> };
  const images = Object.entries(template.Resources).filter(([, { Properties }]) => Properties?.ImageConfig);
  for (const [id, { Properties, Metadata }] of images) {
    const [command] = Properties.ImageConfig!.Command;
    const storage = Properties.EphemeralStorage?.Size ?? 512;
    const code = join(folder, 'bridges', id);
    const module = join(code, dirname(command!));
    mkdirSync(module, { recursive: true });
    cpSync(join(root, 'scripts', 'rehearsal', 'bridge.mjs'), join(module, 'index.mjs'));
    const image = { tree, entrypoint, directory, command, storage, notes };
    writeFileSync(join(module, 'image.json'), JSON.stringify(image));
    Metadata['aws:asset:path'] = code;
  }
  writeFileSync(file, JSON.stringify(template));
  return assembly;
}

/** A talk becomes ready, and what is no media is refused, both by what runs in the tree. */
async function checkJobs(assembly: string): Promise<void> {
  rmSync(notes, { force: true });
  const dir = join(folder, 'local');
  rmSync(dir, { recursive: true, force: true });
  const cloud = await startLocalCloud({ dir, portApi: 0, portSite: 0, product: productOf(assembly) });
  try {
    const kinora = new Kinora({ url: cloud.ready.api_url, apiKey: cloud.ready.api_key });
    const talk = await ingested(kinora, readFileSync(join(root, 'content', 'demo', 'kinora-demo.mp4')));
    say(`The demo: ${talk}`);
    const noMedia = await ingested(kinora, Buffer.from('This is no media. '.repeat(1000)));
    say(`What is no media: ${noMedia}`);
    const answers = new Set(readFileSync(notes, 'utf8').trim().split('\n'));
    say(`Answered by the image: ${[...answers].join(', ')}`);
    if (talk !== 'succeeded' || noMedia !== 'media_unreadable') fail('The jobs did not end as they should.');
    for (const answer of ['ProbeMedia response', 'ProbeMedia error', 'PrepareAudio response']) {
      const [step, kind] = answer.split(' ');
      if (!answers.has(`functions/${step}/index.handler ${kind}`)) fail(`The image gave no ${answer}.`);
    }
  } finally {
    await cloud.stop();
  }
}

/** The code of a job's error, else its status. */
async function ingested(kinora: Kinora, media: Buffer<ArrayBuffer>): Promise<string> {
  const { asset_id } = await kinora.createAsset({ body: { filename: 'media.mp4' } });
  const { job_id } = await uploadAsset(kinora, asset_id, new Blob([media]));
  const job = await jobEnd(() => kinora.getIngestJob({ asset_id, job_id }));
  return job.error?.code ?? job.status;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

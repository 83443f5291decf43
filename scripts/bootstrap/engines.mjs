/** Installs the programs that the project needs and npm does not provide. If it may not install, it says how to install them. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The programs and their packages.
 *
 * `commands`: one of them is enough. `files`: all of them are needed. `name`: the name to show if there is no command. `for`: the
 * profile that needs the program. `instead`: the effect of a missing program.
 */
export const tools = [
  {
    for: 'run',
    commands: ['ffmpeg'],
    apt: ['ffmpeg'],
    dnf: ['ffmpeg-free'],
    brew: ['ffmpeg'],
    instead: 'no media is processed',
  },
  {
    for: 'run',
    commands: ['pocketsphinx_batch'],
    files: ['/usr/share/pocketsphinx/model/en-us'],
    apt: ['pocketsphinx', 'pocketsphinx-en-us'],
    dnf: ['pocketsphinx', 'pocketsphinx-models'],
    instead: 'speech is not transcribed, unless npm run models brings a model',
  },
  {
    for: 'run',
    commands: ['apertium'],
    files: [
      ...['eng-spa', 'fr-es', 'es-pt', 'spa-ita', 'spa-cat'].map(
        (mode) => `/usr/share/apertium/modes/${mode}.mode`,
      ),
      // The Catalan pair calls this program, but the pair's package does not depend on it.
      '/usr/bin/cg-proc',
    ],
    apt: [
      ...['apertium', 'apertium-eng-spa', 'apertium-fr-es'],
      ...['apertium-es-pt', 'apertium-spa-ita', 'apertium-spa-cat', 'cg3'],
    ],
    instead: 'nothing is translated',
  },
  {
    for: 'run',
    commands: ['espeak-ng'],
    apt: ['espeak-ng'],
    dnf: ['espeak-ng'],
    brew: ['espeak-ng'],
    instead: 'nothing is spoken',
  },
  {
    for: 'run',
    name: 'fonts',
    commands: [],
    // One file of each package (media/rendering/choose-font.ts).
    files: [
      '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
      '/usr/share/fonts/opentype/inter/Inter-Regular.otf',
      '/usr/share/fonts/truetype/lato/Lato-Regular.ttf',
      '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
      '/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf',
      '/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf',
      '/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf',
      '/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf',
    ],
    apt: [
      ...['fonts-dejavu-core', 'fonts-inter', 'fonts-lato', 'fonts-noto-cjk', 'fonts-noto-core'],
      ...['fonts-open-sans', 'fonts-roboto-unhinted', 'fonts-symbola'],
    ],
    instead: 'no subtitles are burned into clips',
  },
  {
    for: 'models',
    commands: ['bzip2', 'lbzip2', 'pbzip2'],
    apt: ['bzip2'],
    dnf: ['bzip2'],
    brew: ['bzip2'],
    instead: 'models cannot be unpacked',
  },
  {
    for: 'test',
    commands: ['chromium', 'chromium-browser', 'google-chrome'],
    apt: ['chromium'],
    dnf: ['chromium'],
  },
  { for: 'test', commands: ['njs'], apt: ['njs'] },
  { for: 'test', commands: ['mediainfo'], apt: ['mediainfo'], dnf: ['mediainfo'], brew: ['media-info'] },
  { for: 'test', commands: ['curl'], apt: ['curl'], dnf: ['curl'], brew: ['curl'] },
  { for: 'test', commands: ['jq'], apt: ['jq'], dnf: ['jq'], brew: ['jq'] },
  { for: 'test', commands: ['flite'], apt: ['flite'], dnf: ['flite'] },
  {
    for: 'test',
    commands: ['java'],
    apt: ['default-jre-headless'],
    dnf: ['java-latest-openjdk-headless'],
    brew: ['openjdk'],
  },
];

/** The wait after a failed attempt. Without it, a machine without network would wait for the network at every start. */
const RETRY_AFTER_MS = 24 * 60 * 60_000;

/** Prints each program that is still missing, and how to install it. A failure does not stop the command. */
export async function installEngines(root, profiles, host = thisHost()) {
  let missing = missingTools(profiles, host);
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ apt }) => apt);
  const stamp = join(root, 'node_modules', '.kinora-engines');
  if (host.mayInstall && !wasTried(stamp, packages)) {
    writeFileSync(stamp, JSON.stringify({ packages, at: Date.now() }));
    await aptInstall(packages);
    missing = missingTools(profiles, host);
  }
  for (const line of advice(missing, host)) console.error(line);
}

export function missingTools(profiles, { path }) {
  const directories = path.split(delimiter).filter(Boolean);
  const has = (command) => directories.some((directory) => existsSync(join(directory, command)));
  return tools.filter(
    ({ for: profile, commands, files = [] }) =>
      profiles.includes(profile) &&
      !((commands.length === 0 || commands.some(has)) && files.every((file) => existsSync(file))),
  );
}

/** Returns one line per missing tool, and the command that installs all of them on this platform. */
export function advice(missing, { packager, isRoot }) {
  if (missing.length === 0) return [];
  const lines = missing.map(
    ({ name, commands, instead = 'tests that need it are skipped' }) =>
      `Missing: ${name ?? commands[0]} (${instead}).`,
  );
  const packages = missing.flatMap((tool) => tool[packager] ?? []);
  const sudo = isRoot || packager === 'brew' ? '' : 'sudo ';
  const commands = {
    apt: `${sudo}apt-get install -y --no-install-recommends`,
    dnf: `${sudo}dnf install -y`,
    brew: 'brew install',
  };
  const command = commands[packager];
  if (command && packages.length > 0) lines.push(`Install with: ${command} ${packages.join(' ')}`);
  return lines;
}

function thisHost() {
  const path = process.env.PATH ?? '';
  const has = (command) => path.split(delimiter).some((directory) => existsSync(join(directory, command)));
  const packager = ['apt', 'dnf', 'brew'].find((each) => has(each === 'apt' ? 'apt-get' : each));
  const isRoot = process.getuid?.() === 0;
  return {
    path,
    packager,
    isRoot,
    mayInstall: isRoot && packager === 'apt' && existsSync('/etc/debian_version'),
  };
}

function wasTried(stamp, packages) {
  try {
    const tried = JSON.parse(readFileSync(stamp, 'utf8'));
    return Date.now() - tried.at < RETRY_AFTER_MS && packages.every((name) => tried.packages.includes(name));
  } catch {
    return false;
  }
}

/** Updates the package lists first if they are missing, or after a failed attempt. */
async function aptInstall(packages) {
  console.error(`Installing ${packages.join(', ')} with apt (once) …`);
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (hasLists() && (await apt(install)).ok) return;
  await apt(['update']);
  const { ok, said } = await apt(install);
  if (!ok) console.error(`apt-get could not install them:\n${said.trim().split('\n').slice(-3).join('\n')}`);
}

function hasLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.includes('_Packages'));
  } catch {
    return false;
  }
}

function apt(args) {
  const child = spawn('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, said: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, said }));
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confineProgram } from '../../../media/ffmpeg/confine-program.ts';
import { writeLocalFile } from '../../../media/ffmpeg/local-file.ts';
import { probePicture } from '../../../media/ffmpeg/probe-picture.ts';
import { ffmpegOutput, openSafely } from '../../../media/ffmpeg/run-ffmpeg.ts';
import { makeMedia, opened, picture, tools } from '../../fixtures/media.ts';

const isLinux = existsSync('/usr/bin/prlimit') && existsSync('/usr/bin/setpriv');
const limits = { addresses_bytes: 512 << 20, cpu_s: 10, file_bytes: 0 };

const isAlive = (pid: number) => {
  try {
    // An ended process stays a zombie until its new parent has read its exit code.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

async function said(command: string, args: string[]): Promise<{ out: string; code: number }> {
  const [program, ...rest] = confineProgram(command, args, limits);
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  const [code] = await once(child, 'close');
  return { out, code };
}

describe.runIf(isLinux)('a program that writes files', () => {
  it('reports a full disk as an internal error, not as an error in the media', async () => {
    const args = ['-f', 'lavfi', '-i', 'sine=d=60', ...writeLocalFile('/dev/full', 'wav')];
    const writing = ffmpegOutput(tools, args, { timeout_ms: 20_000, file_bytes: 64 << 20 }).next();
    await expect(writing).rejects.toMatchObject({ code: 'internal_error' });
  });
});

describe.runIf(isLinux)('a program that reads hostile files', () => {
  it('has limits on memory, processor time, open files and written bytes', async () => {
    const { out } = await said('prlimit', ['--raw', '--noheadings', '--output', 'RESOURCE,SOFT']);
    const found = Object.fromEntries(
      out
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/)),
    );
    expect(found).toMatchObject({ AS: String(512 << 20), CPU: '10', FSIZE: '0', CORE: '0', NOFILE: '64' });
  });

  it('does not have the environment of its step, which contains credentials', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kinora-surroundings-'));
    const asked = join(folder, 'asked');
    writeFileSync(asked, '#!/bin/sh\nexec /usr/bin/env\n', { mode: 0o755 });
    process.env.AWS_SECRET_ACCESS_KEY = 'of the role of its function';
    try {
      let out = '';
      const looking = ffmpegOutput({ ...tools, ffmpeg: asked }, [], { timeout_ms: 20_000 });
      for await (const piece of looking) out += piece;
      const names = out
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0]);
      // A shell sets PWD itself.
      expect(names.filter((name) => name !== 'PWD').sort()).toEqual(['MALLOC_ARENA_MAX', 'PATH']);
    } finally {
      delete process.env.AWS_SECRET_ACCESS_KEY;
      rmSync(folder, { recursive: true });
    }
  });

  it('ends with the process that started it, even after kill -9', async () => {
    const [program, ...rest] = confineProgram('sleep', ['60'], limits);
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(${JSON.stringify(program)}, ${JSON.stringify(rest)}, { stdio: 'ignore' });
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    const runsSleep = () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep');
    await expect.poll(runsSleep, { timeout: 60_000 }).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  });

  it('ends with media_limit_exceeded if a picture needs too much memory', async () => {
    const file = await makeMedia('bomb.png', [...picture(0.04, '6000x5000'), '-frames:v', '1']);
    const decoding = opened(file, async (media) => {
      const args = [...openSafely(media, 'png_pipe'), '-f', 'null', '-'];
      const options = { timeout_ms: 30_000, media, memory_bytes: 100 << 20 };
      for await (const _nothing of ffmpegOutput(tools, args, options));
    });
    await expect(decoding).rejects.toMatchObject({ code: 'media_limit_exceeded', retryable: false });
  });

  it('never decodes a picture with too many pixels', async () => {
    const file = await makeMedia('wide.png', [...picture(0.04, '640x360'), '-frames:v', '1']);
    const looking = opened(file, (media) => probePicture(tools, media, 640 * 359));
    await expect(looking).rejects.toMatchObject({ code: 'media_limit_exceeded' });
  });
});

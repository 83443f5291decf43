/** Joins parts into one MP4 with its index at the start. Streams packets from storage, without the disk. */

import { defined, itemAt } from '../../shared/checked-access.ts';
import { internalError } from '../../shared/job-errors.ts';
import type { RangeSource } from '../../shared/media.ts';
import { mergeNeighbors } from '../../shared/merge-neighbors.ts';
import { Blocks } from '../ffmpeg/block-cache.ts';
import { type Mp4Track, readMp4Track, sampleTimes } from './read-mp4-index.ts';
import type { ClipParts, JoinedClip } from './render-io.ts';
import type { Chunk, RenderPlan } from './render-plan.ts';
import { fileType, mediaDataHead, movie, type WrittenTrack } from './write-mp4-boxes.ts';

/** The interval at which pictures and sound alternate, seconds. A player must read one interval before it starts. */
const TURN_S = 0.5;
/** The maximum number of bytes that one read of a part loads into memory. */
const PIECE_BYTES = 4 << 20;

interface Piece {
  readonly part: RangeSource;
  readonly first: number;
  readonly bytes: number;
}

interface JoinedTrack {
  readonly track: Omit<WrittenTrack, 'groups'>;
  readonly pieces: readonly Piece[];
}

/** Joins the parts. Throws a JobError if they do not match the plan, or the signal's reason. */
export async function joinClip(
  plan: RenderPlan,
  parts: ClipParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<JoinedClip> {
  const video = await videoOf(plan, parts.chunks, signal);
  const sound = parts.sound === null ? null : await soundOf(plan, parts.sound, signal);
  const tracks = sound === null ? [video] : [video, sound];
  const turns = interleaved(tracks);
  const bytes = tracks.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + piece.bytes, 0);
  const type = fileType();
  const dataHead = mediaDataHead(bytes);
  const indexed = (start: number) =>
    movie(tracks.map(({ track }, at) => ({ ...track, groups: placed(turns, at, start) })));
  // The offsets in the index depend on its length. Its length depends only on whether offsets exceed 32 bits, so this loop ends.
  let index = indexed(0);
  for (let length = 0; length !== index.length; ) {
    length = index.length;
    index = indexed(type.length + length + dataHead.length);
  }
  const head = Buffer.concat([type, index, dataHead]);
  return {
    media_type: 'video/mp4',
    size_bytes: head.length + bytes,
    bytes: contents(head, turns, signal),
  };
}

async function* contents(
  head: Buffer,
  turns: readonly Turn[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield head;
  const opened = new Map<RangeSource, Blocks>();
  for (const { pieces } of turns) {
    for (const { part, first, bytes } of neighbours(pieces)) {
      // Reads in pieces, because a single picture may be as large as the file.
      for (let at = 0; at < bytes; at += PIECE_BYTES) {
        signal.throwIfAborted();
        const wanted = Math.min(PIECE_BYTES, bytes - at);
        const read = await lastOpened(opened, part, signal).read(first + at, first + at + wanted - 1);
        if (read.length < wanted) throw internalError('A rendered part ends early.');
        yield read;
      }
    }
  }
}

/** Returns the block cache of a part. Keeps only the caches of the last two parts, to free memory. */
function lastOpened(opened: Map<RangeSource, Blocks>, part: RangeSource, signal: AbortSignal): Blocks {
  const blocks = opened.get(part) ?? new Blocks(part, signal);
  opened.delete(part);
  opened.set(part, blocks);
  for (const one of opened.keys()) if (opened.size > 2) opened.delete(one);
  return blocks;
}

/** Merges pieces that are adjacent in a part, so that they are read together. */
const neighbours = (pieces: readonly Piece[]): Piece[] =>
  mergeNeighbors(pieces, (last, piece) => {
    const isNext = last.part === piece.part && last.first + last.bytes === piece.first;
    const bytes = last.bytes + piece.bytes;
    return isNext && bytes <= PIECE_BYTES ? { ...last, bytes } : null;
  });

interface Turn {
  readonly of: number;
  readonly pieces: readonly Piece[];
  readonly bytes: number;
}

/** Divides the tracks into turns of half a second of decoding time, and alternates the turns of the tracks. */
function interleaved(tracks: readonly JoinedTrack[]): Turn[] {
  const marks = tracks.map(() => ({ sample: 0, decoded: 0 }));
  const turns: Turn[] = [];
  for (let turn = 1; marks.some(({ sample }, of) => sample < itemAt(tracks, of).pieces.length); turn += 1) {
    tracks.forEach(({ track, pieces }, of) => {
      const mark = itemAt(marks, of);
      const first = mark.sample;
      while (mark.sample < pieces.length && mark.decoded < turn * TURN_S * track.timescale) {
        mark.decoded += itemAt(track.durations, mark.sample);
        mark.sample += 1;
      }
      const own = pieces.slice(first, mark.sample);
      if (own.length > 0)
        turns.push({ of, pieces: own, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0) });
    });
  }
  return turns;
}

function placed(turns: readonly Turn[], track: number, start: number): WrittenTrack['groups'] {
  let offset = start;
  return turns.flatMap(({ of, pieces, bytes }) => {
    const group = { samples: pieces.length, offset };
    offset += bytes;
    return of === track ? [group] : [];
  });
}

/** Places all pictures in sequence. Each picture lasts one frame of the output. Times in the parts are ignored. */
async function videoOf(
  { chunks, output }: RenderPlan,
  parts: readonly RangeSource[],
  signal: AbortSignal,
): Promise<JoinedTrack> {
  const { num: timescale, den: frame } = output.frame_rate;
  const [pieces, keys, orders]: [Piece[], number[], number[]] = [[], [], []];
  let description: Buffer | undefined;
  for (const [at, chunk] of chunks.entries()) {
    const part = parts[at];
    if (part === undefined) throw internalError(`Chunk ${at} is missing.`);
    const track = await trackOf(part, 'vide', signal);
    description ??= track.description;
    if (!description.equals(track.description)) throw internalError('Chunks were encoded in different ways.');
    const base = orders.length;
    for (const { sample, order } of samplesOf(track, chunk)) {
      pieces.push({ part, first: itemAt(track.offsets, sample), bytes: itemAt(track.sizes, sample) });
      keys.push(track.keys === null ? 1 : itemAt(track.keys, sample));
      orders.push(base + order);
    }
  }
  // Every picture must be decoded before it is shown. So all pictures are shown `late` frames later, and the edit list skips this
  // delay.
  const late = orders.reduce((most, order, at) => Math.max(most, at - order), 0);
  const track = {
    kind: 'vide' as const,
    timescale,
    description: defined(description),
    skipped: late * frame,
    lasts: orders.length * frame,
    width: output.width,
    height: output.height,
    sizes: pieces.map(({ bytes }) => bytes),
    durations: new Uint32Array(orders.length).fill(frame),
    shifts: orders.map((order, at) => (order - at + late) * frame),
    keys: keys.every((key) => key === 1) ? null : keys,
  };
  return { track, pieces };
}

/** Returns the samples of a chunk in decoding order, each with its position in display order. */
function samplesOf(track: Mp4Track, { how, start_frame, end_frame }: Chunk) {
  const first = how === 'copy' ? start_frame : 0;
  const frames = end_frame - start_frame;
  const isAll = how === 'copy' ? track.sizes.length >= first + frames : track.sizes.length === frames;
  if (!isAll) throw internalError(`A chunk of ${frames} frames has ${track.sizes.length}.`);
  const times = sampleTimes(track).subarray(first, first + frames);
  const byTime = Array.from(times.keys()).sort((one, other) => itemAt(times, one) - itemAt(times, other));
  const order = new Uint32Array(frames);
  byTime.forEach((sample, at) => {
    order[sample] = at;
  });
  return Array.from(order, (one, at) => ({ sample: first + at, order: one }));
}

async function soundOf(plan: RenderPlan, part: RangeSource, signal: AbortSignal) {
  const track = await trackOf(part, 'soun', signal);
  const { num, den } = plan.output.frame_rate;
  const pieces = Array.from(track.offsets, (first, at) => ({ part, first, bytes: itemAt(track.sizes, at) }));
  const { kind, timescale, description, skipped, sizes, durations, shifts } = track;
  const lasts = Math.round((plan.frames * den * timescale) / num);
  const written = { kind, timescale, description, skipped, lasts, sizes, durations, shifts };
  return { track: { ...written, width: 0, height: 0, keys: null }, pieces };
}

async function trackOf(part: RangeSource, kind: Mp4Track['kind'], signal: AbortSignal): Promise<Mp4Track> {
  // Each box is a separate read. The block cache combines these reads into few requests.
  const track = await readMp4Track(new Blocks(part, signal), kind, signal);
  if (track === null) throw internalError(`A rendered part has no track of the kind ${kind}.`);
  return track;
}

/** Files that make a careless reader open another file, or call an address. */
import { box, chunk, element, full, join, le16, le32, text, u8, u16, u32 } from './bytes.ts';
import type { Bait, EvilFile } from './kinds.ts';
import { movie, type Track } from './movies.ts';
import { id3, id3Frame, mkv, mp3Frames, wav } from './sounds.ts';

/** The forms of a reference. */
const addressesOf = ({ trap, canary }: Bait): Readonly<Record<string, string>> => ({
  http: `${trap}/seg.ts`,
  file: `file://${canary}`,
  path: canary,
  passwd: 'file:///etc/passwd',
  concat: `concat:${canary}|${trap}/b.ts`,
  subfile: `subfile,,start,0,end,4096,,:${canary}`,
  crypto: `crypto+file://${canary}`,
  data: `data:audio/wav;base64,${wav().toString('base64')}`,
  tcp: trap.replace('http:', 'tcp:'),
});

const lines = (...all: readonly string[]) => text(`${all.join('\n')}\n`);

/** Texts that name an address, by their format. */
const texts: Readonly<Record<string, (address: string) => Buffer>> = {
  'HLS playlist': (to) => lines('#EXTM3U', '#EXT-X-TARGETDURATION:10', '#EXTINF:10,', to, '#EXT-X-ENDLIST'),
  'HLS playlist with a key': (to) =>
    lines('#EXTM3U', `#EXT-X-KEY:METHOD=AES-128,URI="${to}"`, '#EXTINF:10,', to, '#EXT-X-ENDLIST'),
  'HLS master playlist': (to) => lines('#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=1', to),
  'HLS playlist with a map': (to) => lines('#EXTM3U', `#EXT-X-MAP:URI="${to}"`, '#EXTINF:10,', to),
  ffconcat: (to) => lines('ffconcat version 1.0', `file '${to}'`, 'duration 10'),
  'concat script': (to) => lines(`file '${to}'`, 'duration 10'),
  'DASH manifest': (to) =>
    lines(
      '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S">',
      `<Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${to}</BaseURL>`,
      '<SegmentList><SegmentURL media="a"/></SegmentList></Representation></AdaptationSet></Period></MPD>',
    ),
  'Smooth Streaming manifest': (to) =>
    lines(
      `<SmoothStreamingMedia MajorVersion="2"><StreamIndex Type="video" Url="${to}"/></SmoothStreamingMedia>`,
    ),
  SMIL: (to) => lines(`<smil><body><video src="${to}"/></body></smil>`),
  ASX: (to) => lines(`<asx version="3.0"><entry><ref href="${to}"/></entry></asx>`),
  'QuickTime link': (to) =>
    lines(
      '<?xml version="1.0"?><?quicktime type="application/x-quicktime-media-link"?>',
      `<embed src="${to}"/>`,
    ),
  PLS: (to) => lines('[playlist]', `File1=${to}`, 'NumberOfEntries=1'),
  XSPF: (to) =>
    lines(
      `<playlist version="1"><trackList><track><location>${to}</location></track></trackList></playlist>`,
    ),
  SDP: (to) =>
    lines(
      'v=0',
      'o=- 0 0 IN IP4 127.0.0.1',
      `s=${to}`,
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 5004 RTP/AVP 0',
    ),
  'RTSP description': (to) => lines('rtsptext', to),
  'image sequence': (to) => lines(`${to}-%03d.png`),
  'lavfi graph': (to) => lines(`movie=${to}[out0]`),
  'ffmpeg metadata': (to) => lines(';FFMETADATA1', `title=${to}`),
  SVG: (to) =>
    lines(
      `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="${to}" width="64" height="64"/></svg>`,
    ),
  'SubRip subtitles': (to) => lines('1', '00:00:00,000 --> 00:00:10,000', to),
  'WebVTT subtitles': (to) => lines('WEBVTT', '', '00:00.000 --> 00:10.000', to),
  'ASS subtitles': (to) => lines('[Script Info]', `Video File: ${to}`, '[Fonts]', `fontname: ${to}`),
  'MicroDVD subtitles': (to) => lines(`{0}{250}${to}`),
  'AviSynth script': (to) => lines(`AviSource("${to}")`),
  'Icecast list': (to) => lines('ICY 200 OK', `icy-url:${to}`, '', '#EXTM3U', to),
};

/** Data references of a track (ISO/IEC 14496-12 §8.7.2, QuickTime's alias). */
const dataReferences: Readonly<Record<string, (address: string) => Buffer>> = {
  url: (to) => full('url ', 0, text(`${to}\0`)),
  urn: (to) => full('urn ', 0, text(`name\0${to}\0`)),
  alias: (to) => full('alis', 0, aliasOf(to)),
};

/** The Macintosh format: an alias record of version 2, with the absolute path (18) and the volume. */
function aliasOf(path: string): Buffer {
  const name = Buffer.alloc(64);
  name[0] = Math.min(63, path.length);
  name.write(path.slice(0, 63), 1, 'latin1');
  const absolute = Buffer.from(path, 'latin1');
  const padded = join(absolute, Buffer.alloc(absolute.length % 2));
  return join(
    ...[Buffer.alloc(4), u16(150, 2, 0), Buffer.alloc(28), Buffer.alloc(8), name, Buffer.alloc(8), u16(1, 1)],
    ...[Buffer.alloc(16), u16(2, absolute.length), padded, u16(18, absolute.length), padded, u16(0xffff, 0)],
  );
}

const sound: Track = { kind: 'sound' };

/** A reference movie of QuickTime. It names the location of the real movie. */
const referenceMovie = (to: string) =>
  join(
    box('ftyp', text('qt  '), u32(0), text('qt  ')),
    box('moov', box('rmra', box('rmda', full('rdrf', 0, text('url '), u32(to.length + 1), text(`${to}\0`))))),
  );

/** Attached, linked or named in Matroska (RFC 9559). */
const matroska: Readonly<Record<string, (address: string) => Buffer>> = {
  'Matroska with linked segments': (to) =>
    mkv({
      info: [
        element(0x3eb923, Buffer.alloc(16, 1)),
        element(0x3c83ab, text(to)),
        element(0x3e83bb, text(to)),
      ],
    }),
  'Matroska with an attachment': (to) =>
    mkv({
      beside: [
        element(
          0x1941a469,
          element(
            0x61a7,
            element(0x466e, text(`../../../../${to}`)),
            element(0x4660, text('font/ttf')),
            element(0x465c, text('#EXTM3U')),
            element(0x46ae, u8(1)),
          ),
        ),
      ],
    }),
};

/** Playlists behind data that demuxers skip or take for another format. */
const hidden: Readonly<Record<string, (address: string) => Buffer>> = {
  'HLS playlist behind ID3': (to) => join(id3(Buffer.alloc(64)), texts['HLS playlist']!(to)),
  'HLS playlist behind a long ID3': (to) => join(id3(Buffer.alloc(20_000)), texts['HLS playlist']!(to)),
  'HLS playlist behind spaces': (to) => join(text('\n'.repeat(5000)), texts['HLS playlist']!(to)),
  'HLS playlist behind a byte order mark': (to) => join(text('\ufeff'), texts['HLS playlist']!(to)),
  'HLS playlist with a binary tail': (to) => join(texts['HLS playlist']!(to), Buffer.alloc(4096)),
  'concat script with a binary tail': (to) => join(texts.ffconcat!(to), Buffer.alloc(4096)),
  'SDP with a binary tail': (to) => join(texts.SDP!(to), Buffer.alloc(4096)),
  'DASH manifest with a binary tail': (to) => join(texts['DASH manifest']!(to), Buffer.alloc(4096)),
  'HLS playlist in UTF-16': (to) => Buffer.from(`\ufeff${texts['HLS playlist']!(to)}`, 'utf16le'),
  'MP3 that turns into a playlist': (to) => join(mp3Frames(8), texts['HLS playlist']!(to)),
  'HLS in ID3 of an MP3': (to) =>
    join(id3(id3Frame('TXXX', join(u8(3), texts['HLS playlist']!(to)))), mp3Frames(80)),
  'WAV with a playlist in it': (to) => wav({ data: texts['HLS playlist']!(to) }),
  'RIFF of RMP3 that is a concat list': (to) =>
    join(
      text('RIFF'),
      le32(64),
      text('WAVE'),
      chunk('fmt ', join(le16(0x55, 1), le32(8000, 8000), le16(1, 0))),
      chunk('data', texts.ffconcat!(to)),
    ),
  'box of type free before a playlist': (to) =>
    join(box('free', Buffer.alloc(8)), texts['HLS playlist']!(to)),
};

/** Every format with an address next to this service, and one format with every form of a reference. */
export function references(bait: Bait): EvilFile[] {
  const addresses = Object.entries(addressesOf(bait));
  const { http, path } = addressesOf(bait) as { http: string; path: string };
  const both = (kind: string, make: (to: string) => Buffer, expected: EvilFile['expected'] = 'refused') => [
    { name: `${kind} of an address`, bytes: () => make(http), expected },
    { name: `${kind} of a file`, bytes: () => make(path), expected },
  ];
  const referring = (reference: (to: string) => Buffer) => (to: string) =>
    movie({ brand: 'qt  ', tracks: [{ ...sound, dref: reference(to) }], data: Buffer.alloc(0) });
  return [
    ...['HLS playlist', 'ffconcat', 'concat script'].flatMap((kind) =>
      addresses.map(
        ([name, to]): EvilFile => ({
          name: `${kind}, ${name}:`,
          bytes: () => texts[kind]!(to),
          expected: 'refused',
        }),
      ),
    ),
    ...Object.entries(texts).flatMap(([kind, make]) => both(kind, make)),
    ...Object.entries(hidden).flatMap(([kind, make]) => both(kind, make, 'either')),
    ...Object.entries(dataReferences).flatMap(([kind, make]) =>
      both(`MOV with ${kind}`, referring(make), 'either'),
    ),
    ...both('reference movie', referenceMovie),
    ...Object.entries(matroska).flatMap(([kind, make]) => both(kind, make, { duration_ms: 1000 })),
  ];
}

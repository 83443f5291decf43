/** Splits a stream of JPEGs, as ffmpeg writes them to a pipe. */

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END = Buffer.from([0xff, 0xd9]);

/** ITU-T T.81 §B.1.1: in the data of a picture, only 0 or a restart marker follows 0xff, so the end marker is unique. */
export function splitJpegs(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = bytes.indexOf(START); start >= 0; ) {
    const end = bytes.indexOf(END, start);
    if (end < 0) break;
    found.push(bytes.subarray(start, end + END.length));
    start = bytes.indexOf(START, end);
  }
  return found;
}

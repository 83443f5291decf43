/** JPEGs that follow one another, as ffmpeg writes them to a pipe. */

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END = Buffer.from([0xff, 0xd9]);

/** ITU-T T.81 §B.1.1: within the data of a picture, 0xff is followed by 0 or a restart, so that its end stands out. */
export function jpegsOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = bytes.indexOf(START); start >= 0; ) {
    const end = bytes.indexOf(END, start);
    if (end < 0) break;
    found.push(bytes.subarray(start, end + END.length));
    start = bytes.indexOf(START, end);
  }
  return found;
}

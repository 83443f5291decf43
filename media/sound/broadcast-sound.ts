/** The sample rate and the loudness of broadcasts, which voice-overs have, too. */

/** The sample rate of broadcasts and video, in samples per second. */
export const PROGRAMME_RATE = 48_000;
/** The loudness of a program, LUFS: EBU R128 (2020). */
export const PROGRAMME_LUFS = -23;

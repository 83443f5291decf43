/** Sample rate and loudness of broadcast programs. Voice-overs use them. */

/** Samples a second: the rate of broadcasts and video. */
export const PROGRAMME_RATE = 48_000;
/** The loudness of a program, LUFS: EBU R128 (2020). */
export const PROGRAMME_LUFS = -23;

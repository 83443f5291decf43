/** The files of brandings: one Lambda for overlays and clips. */
export * from './branding-clips.ts';
export * from './branding-overlays.ts';

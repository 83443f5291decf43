/** The operations that answer 501 to a sound request: to be emptied, one engine after another. */
export const withoutEngine = [
  'createTranslationJob',
  'createVoiceOverJob',
  'createPartialRetranslationJob',
  'getStl',
  'exportVtt',
  'exportSrt',
  'exportStl',
  'exportJson',
  'exportMetadata',
  'exportVideoClip',
  'exportVideoClipAsync',
  'downloadVideoClips',
  'downloadVideoClipsAsync',
  'publishClip',
  'nlSearch',
  'createChannelAsset',
] as const;

export type WithoutEngine = (typeof withoutEngine)[number];

export const hasEngine = (id: string): boolean => !(withoutEngine as readonly string[]).includes(id);

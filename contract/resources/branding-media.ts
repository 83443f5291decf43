/** The files of brandings, one Lambda for both: videos before and after a clip, and what lies on top of one. */
import { brandingFile } from './branding-files.ts';

const preview = {
  preview_url: 'https://media.example/branding/opening.mp4?X-Amz-Expires=3600',
  preview_expires_at: '2026-11-21T10:30:00.000Z',
};

export const {
  createBrandingClip,
  listBrandingClips,
  getBrandingClip,
  updateBrandingClip,
  deleteBrandingClip,
  startBrandingClipUpload,
  finishBrandingClipUpload,
  getBrandingClipUploadJob,
} = brandingFile({
  one: 'BrandingClip',
  many: 'BrandingClips',
  kind: 'branding clip',
  type: 'branding_clips',
  id: 'clip_id',
  about:
    'A video. It is shown whole, as large as fits the clip and in its middle, with black where its aspect ratio is another.',
  example: { name: 'Opening', filename: 'opening.mp4' },
  factsExample: {
    status: 'ready',
    media_type: 'video',
    size_bytes: 1_204_224,
    width: 1920,
    height: 1080,
    duration_ms: 4000,
    frame_rate: 25,
    has_audio: true,
    ...preview,
  },
});

export const {
  createBrandingOverlay,
  listBrandingOverlays,
  getBrandingOverlay,
  updateBrandingOverlay,
  deleteBrandingOverlay,
  startBrandingOverlayUpload,
  finishBrandingOverlayUpload,
  getBrandingOverlayUploadJob,
} = brandingFile({
  one: 'BrandingOverlay',
  many: 'BrandingOverlays',
  kind: 'branding overlay',
  type: 'branding_overlays',
  id: 'overlay_id',
  about:
    'A picture (PNG, JPEG, GIF, APNG, WebP that does not move) or a video (WebM with VP8 or VP9, and MOV, keep their transparency). It is laid over the whole of the clip, as large as fits, smaller pictures too, and in the middle: to show a logo small in a corner, draw it there in a picture of the aspect ratio of the clip that is transparent elsewhere. What moves begins again until the clip ends, whatever a GIF says of its repeats; its sound is left out.',
  example: { name: 'Logo', filename: 'logo.png' },
  factsExample: {
    status: 'ready',
    media_type: 'image',
    size_bytes: 48_213,
    width: 1920,
    height: 1080,
    has_audio: false,
    ...preview,
  },
});

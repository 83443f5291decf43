/** The files of brandings: videos before and after a clip, and overlays on it. One Lambda handles both. */
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
  kind: 'branding clip',
  id: 'clip_id',
  about:
    'A video that is played before or after a clip. It is centered, scaled to fit the clip, and padded with black if its aspect ratio differs.',
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
  kind: 'branding overlay',
  id: 'overlay_id',
  about:
    'A picture (PNG, JPEG, GIF, APNG, still WebP) or a video (WebM with VP8 or VP9, and MOV, keep their transparency). It covers the whole clip: it is centered and scaled to fit, small pictures too. To show a small logo in a corner, draw it in a transparent picture with the aspect ratio of the clip. Animations and videos repeat until the clip ends; the repeat count of a GIF is ignored. Their sound is left out.',
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

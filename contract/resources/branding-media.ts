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

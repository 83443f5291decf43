/** The containers and codecs that Kinora reads, by ffmpeg's names. */

/** The allowed demuxers. Demuxers that open other files or addresses (such as hls), draw text or guess raw formats are not allowed. */
export const containers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,wav,w64,mp3,aac,flac,ogg,mxf,gxf,flv,asf,amr,aiff,caf,ac3,eac3,au,dv';

/** The demuxers of single pictures. The demuxer for image sequences is not allowed, because it opens other files. */
export const pictures = 'png_pipe,jpeg_pipe,webp_pipe,gif';

export const movingPictures = 'gif,apng';

const audio = `
  aac aac_latm ac3 eac3 alac amrnb amrwb dca dvaudio flac libopus libvorbis mlp mp1 mp1float mp2 mp2float mp3
  mp3float nellymoser opus qdm2 s302m speex libspeex truehd tta vorbis wavpack wmalossless wmapro wmav1 wmav2
  wmavoice adpcm_ima_qt adpcm_ima_wav adpcm_ms adpcm_swf adpcm_yamaha g722 g726 gsm gsm_ms pcm_alaw pcm_mulaw
  pcm_bluray pcm_dvd pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_s8 pcm_u8 pcm_s16be pcm_s16le pcm_s24be
  pcm_s24le pcm_s32be pcm_s32le`;
const video = `
  av1 libaom-av1 libdav1d cfhd cinepak dnxhd dvvideo ffv1 ffvhuff flashsv flv apng gif h261 h263 h263p h264
  hap hevc huffyuv jpeg2000 libopenjpeg mjpeg mpeg1video mpeg2video mpeg4 mpegvideo msmpeg4 msmpeg4v1
  msmpeg4v2 png prores qtrle rawvideo svq1 svq3 theora utvideo v210 v410 vc1 vp3 vp6 vp6a vp6f vp8 vp9 libvpx
  libvpx-vp9 webp wmv1 wmv2 wmv3`;
/** Subtitles and captions are not decoded. Their decoders are allowed, because ffprobe opens the decoders of all streams that it lists. */
const captions = `
  ass cc_dec dvbsub dvdsub libzvbi_teletextdec mov_text pgssub srt ssa stl subrip text webvtt xsub`;

/** The allowed decoders, out of about 500. Decoders of games and of outdated formats are not allowed, because they are hardly maintained. */
export const codecs = [audio, video, captions].join('').trim().split(/\s+/).join();

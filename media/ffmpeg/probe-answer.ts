/** The members of ffprobe's answers that Kinora reads. Times are strings of seconds. */
export interface ProbeAnswer {
  readonly format?: ProbeFormat;
  readonly streams?: readonly ProbeStream[];
  readonly packets?: readonly { pts_time?: string; dts_time?: string; duration_time?: string }[];
}

export interface ProbeFormat {
  readonly format_name: string;
  readonly start_time?: string;
  readonly duration?: string;
  readonly probe_score?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface ProbeStream {
  readonly index: number;
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly profile?: string;
  readonly width?: number;
  readonly height?: number;
  readonly pix_fmt?: string;
  readonly color_range?: string;
  readonly color_space?: string;
  readonly color_transfer?: string;
  readonly color_primaries?: string;
  readonly field_order?: string;
  readonly sample_aspect_ratio?: string;
  readonly avg_frame_rate?: string;
  readonly r_frame_rate?: string;
  readonly channels?: number;
  readonly sample_rate?: string;
  readonly start_time?: string;
  readonly duration?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly disposition?: Readonly<Record<string, number>>;
  readonly side_data_list?: readonly { rotation?: number }[];
}

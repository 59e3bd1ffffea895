/** Reports how far a long run is; `finish` removes the bar. */
export type Progress = {
  /** `total` null = not known yet. */
  update(progress: { readonly done: number; readonly total: number | null }): void
  finish(): void
}

const SILENT: Progress = { update: () => undefined, finish: () => undefined }

/** A bar on a terminal; on anything else nothing, so that logs stay readable. */
export async function createProgress(
  label: string,
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
): Promise<Progress> {
  if (stream.isTTY !== true) return SILENT
  const { SingleBar, Presets } = await import('cli-progress')
  const bar = new SingleBar(
    {
      stream,
      format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`,
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  bar.start(1, 0)
  return {
    update: ({ done, total }) => {
      if (total !== null) bar.setTotal(Math.max(total, 1))
      bar.update(done)
    },
    finish: () => bar.stop(),
  }
}

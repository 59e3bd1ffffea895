/** Options of a benchmark run; a bench ignores those that do not concern it. */
export type BenchOptions = {
  /** `--days N`: a shorter range in place of a whole year, for a machine that has no hour for it. */
  readonly days?: number
}

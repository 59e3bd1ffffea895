/** What a run of the benchmarks may be told; each takes what concerns it. */
export type BenchOptions = {
  /** `--days N`: a shorter range in place of a whole year, for a machine that has no hour for it. */
  readonly days?: number
}

/** Options of a benchmark run; a bench ignores those that do not concern it. */
export type BenchOptions = {
  /** `--days N`: a shorter range than the whole year, whose run takes about an hour. */
  readonly days?: number
  /** `--quotes N`: quotes of the longest history. */
  readonly quotes?: number
}

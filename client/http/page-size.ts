/** Records to ask for in the next page of a list. */
export type PageSize = {
  records(): number
  /** Halves the page after a read that was too large for the service; false: it has one record already. */
  halve(): boolean
  /** Notes a page that was read; after some, the page is doubled. */
  passed(): void
}

/** Pages that pass before the next one is larger: a read that takes too long costs the service more than smaller pages do. */
const PASSED_MIN = 4

/** Creates the size of the pages of one list, which begins with the largest. */
export function createPageSize(records_max: number): PageSize {
  let records = records_max
  let passed = 0
  return {
    records: () => records,
    halve() {
      passed = 0
      const is_one = records === 1
      records = Math.max(1, records >> 1)
      return !is_one
    },
    passed() {
      passed += 1
      if (passed % PASSED_MIN === 0) records = Math.min(records_max, records * 2)
    },
  }
}

/** Tests whether a read was refused for its time, memory or records, so that a smaller one may pass. */
export function isTooLarge(code: string | null): boolean {
  return code === 'QUERY_TIMEOUT' || code === 'VALIDATION_QUERY_LIMIT'
}

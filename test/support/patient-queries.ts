import { QUERY_LIMITS } from '../../warehouse/reader/history/query-limits.ts'

/** Limits of a reader's queries on a busy machine, which starts a process in seconds; one process is enough for a test. */
export const PATIENT_QUERIES = { ...QUERY_LIMITS, processes: 1, time_ms: 60_000 }

import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { fileStatistics } from '../../warehouse/parquet/file-statistics.ts'
import { DAY, FIRST_DAY, MINUTE, MINUTES_A_DAY, rowColumns, storedDays } from './stored-days.ts'

/** Number of stored indexes, each with a level a minute. */
export const INDEXES = 20

export const indexId = (n: number) => `idx_${String(n).padStart(2, '0')}`

/** Version of the cached rows, raised when they change; older caches are ignored. */
const FORM = 2

/** Returns the folder of a warehouse with `days` days of levels, every hundredth tick corrected in the last minute of its day. */
export function storedLevels(days: number): Promise<string> {
  return storedDays(`levels-${FORM}`, days, [
    {
      table: 'index_observation',
      rowsOf: levelsOfDay,
      statisticsOf: dayStatistics,
      stampsOf: (day) => [FIRST_DAY + day * DAY + 3_000_000, lastStamp(day)],
    },
  ])
}

/** A level is published 3 s after its tick; the day's corrections in its last minute. */
const lastStamp = (day: number): Micros => FIRST_DAY + (day + 1) * DAY - 30_000_000

const CORRECTED_EVERY = 100
export const ROWS_A_DAY = INDEXES * MINUTES_A_DAY + (INDEXES * MINUTES_A_DAY) / CORRECTED_EVERY

function dayStatistics(day: number): string {
  const [first, last] = [FIRST_DAY + day * DAY + 3_000_000, lastStamp(day)]
  const instants = {
    least: JSON.stringify(formatMicros(FIRST_DAY + day * DAY)),
    greatest: JSON.stringify(formatMicros(FIRST_DAY + (day + 1) * DAY - MINUTE)),
  }
  const range = (least: string, greatest: string) => ({
    least: JSON.stringify(least),
    greatest: JSON.stringify(greatest),
  })
  return fileStatistics(ROWS_A_DAY, [
    { name: 'index_id', nulls: 0, range: range(indexId(0), indexId(INDEXES - 1)) },
    { name: 'tick_at', nulls: 0, range: instants },
    { name: 'source_cutoff_at', nulls: 0, range: instants },
    { name: 'calculated_at', nulls: 0, range: instants },
    { name: 'revision', nulls: 0, range: { least: '1', greatest: '2' } },
    { name: 'published_at', nulls: 0, range: range(formatMicros(first), formatMicros(last)) },
  ])
}

function levelsOfDay(day: number): string {
  const start = FIRST_DAY + day * DAY
  const tick = `make_timestamptz(${start} + minute * ${MINUTE})`
  const known: Record<string, string> = {
    observation_id: `'iob_' || md5(revision || ' ' || ${day} || ' ' || i)`,
    revision: 'revision',
    supersedes_id: `if(revision = 2, 'iob_' || md5('1 ${day} ' || i), null)`,
    correction_reason: `if(revision = 2, 'LATE_DATA', null)`,
    index_id: `'idx_' || lpad(index::varchar, 2, '0')`,
    index_version_id: `'idv_' || md5(index::varchar)`,
    index_version: `'1'`,
    methodology_id: `'mth_bench'`,
    methodology_version: `'1.0.0'`,
    tick_at: tick,
    level: '(40 + (i * 7919 % 200000) // 10000)::decimal(18,4)',
    unit: `'index_points'`,
    calculated_at: tick,
    source_cutoff_at: tick,
    quality_state: `if(i % 500 = 7, 'degraded', 'valid')`,
    underlying_quality_state: `'valid'`,
    coverage_ratio: '1::decimal(18,6)',
    confidence: '0.9',
    inputs: '[]',
    link_factor: '100',
    reason_codes: '[]::varchar[]',
    missing_constituent_ids: '[]::varchar[]',
    input_observation_ids: `['obs_' || md5(i::varchar), 'obs_' || md5((i + 1)::varchar)]`,
    calculation_run_id: `'run_' || md5(i::varchar)`,
    record_hash: `md5(i::varchar) || md5((i + 3)::varchar)`,
    published_at: `if(revision = 2, make_timestamptz(${lastStamp(day)}), make_timestamptz(${start} + minute * ${MINUTE} + 3000000))`,
    row_ordinal: 'if(revision = 2, i, index)',
  }
  const values = rowColumns('index_observation', known)
  const rows = `select i, i % ${INDEXES} as index, i // ${INDEXES} as minute from range(${INDEXES * MINUTES_A_DAY}) t(i)`
  const revised = `select *, 1 as revision from (${rows}) union all select *, 2 from (${rows}) where i % ${CORRECTED_EVERY} = 17`
  return `select ${values} from (${revised}) order by index_id, tick_at, revision`
}

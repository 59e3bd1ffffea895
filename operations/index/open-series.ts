import { admissionOf, legsOf } from '../../pipelines/index/admit.ts'
import { indexSeries, type SeriesStep } from '../../pipelines/index/series.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { loadLegData } from './load-leg-data.ts'

export type OpenSeriesOptions = {
  /** Exclusive end of the ticks. */
  readonly to: Micros
  readonly published_links?: ReadonlyMap<string, Decimal>
  /** A correction's unbounded grace. */
  readonly grace?: Micros
  /** true: each tick sees only rows published by tick + grace, as the recorded clock demands. */
  readonly known_at_tick?: boolean
}

/** The series of an index over what a session shows: loads the legs, then computes tick by tick. */
export async function openSeries(
  session: ReadSession,
  spec: IndexSpec,
  options: OpenSeriesOptions,
): Promise<Generator<SeriesStep>> {
  const trades = spec.versions.some((version) => version.fixing !== null)
  const data = await loadLegData(session, legsOf(spec), { trades, known_at_tick: options.known_at_tick ?? false })
  const links = options.published_links === undefined ? {} : { published_links: options.published_links }
  return indexSeries(spec, admissionOf(data, options.grace), { to: options.to, ...links })
}
